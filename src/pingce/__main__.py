"""`python -m pingce`."""

import sys

if __name__ == "__main__":
    try:
        from pingce.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()
