"""`python -m reckoner` is `reckon`."""

import sys

from reckoner.cli import main

sys.exit(main())
