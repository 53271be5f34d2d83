"""`python -m reckoner.cli` is `reckon`."""

import sys

from reckoner.cli.main import main

sys.exit(main())
