"""What stands around every page: the ways through the site, its files, its refusals."""
