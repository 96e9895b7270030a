"""``python -m mnlbandits`` is the command line."""

import sys

from mnlbandits.cli import main

sys.exit(main())
