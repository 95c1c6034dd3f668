"""`python -m website`: build the website, with the playground in it."""

from __future__ import annotations

import sys

from website.building import BUILT, WebsiteError, build
from website.playground import CannotBuildError, FaultyPlaygroundError, built


def main() -> int:
    """Build it, and say where it is; the exit code."""
    try:
        site = build(BUILT, built())
    except (CannotBuildError, FaultyPlaygroundError, WebsiteError) as reason:
        print(f"the website is not built: {reason}", file=sys.stderr)
        return 1
    print(f"{site}\npython3 -m http.server --directory {site}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
