"""The truth tests of the checker; they wait for the checker to exist."""

from importlib.util import find_spec

COMPLETE = all(find_spec(name) for name in ("derive.check.checking", "derive.documents.reading"))
collect_ignore_glob = [] if COMPLETE else ["test_*.py"]
