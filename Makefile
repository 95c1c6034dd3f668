# Everything is done by run.py, with or without make. `make help` lists what there is.
PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help play demo test long bench site

help:  ## what there is
	@sed -n 's/^\([a-z]*\): *## /  make \1\t/p' Makefile

play:  ## play Chinesische Mauer against bots
	@$(PYTHON) run.py play $(ARGS)

demo:  ## the same game played by random bots alone, to the final table
	@$(PYTHON) run.py demo $(ARGS)

test:  ## every check and every test
	@$(PYTHON) run.py test $(ARGS)

long:  ## the same with the long tests; started again, it continues where it stopped
	@$(PYTHON) run.py long $(ARGS)

bench:  ## measure, and print a table
	@$(PYTHON) run.py bench $(ARGS)

site:  ## build the website, with the playground; needs npm
	@$(PYTHON) run.py site
