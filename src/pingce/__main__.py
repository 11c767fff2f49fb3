"""`python -m pingce`."""

from pingce.cli import main

if __name__ == "__main__":
    main()
