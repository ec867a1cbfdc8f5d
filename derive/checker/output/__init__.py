"""How findings are printed, one format a module: each turns results into text as they come, with `written(results, …)`."""
