"""Files that are written: what is kept from run to run, and nothing half-written."""
