"""The website: the documentation as pages, with the playground in which their examples can be changed and played."""
