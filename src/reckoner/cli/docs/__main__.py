"""`python -m reckoner.cli.docs FOLDER`: write everything that is made, below the repository's folder."""

import sys
from pathlib import Path

from reckoner.cli.docs.generated import write_all

write_all(Path(sys.argv[1]))
