"""The truth tests of the checker; they wait for the checker to exist."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("derive.check.checking") else ["test_*.py"]
