# Limn's commands; `make help` lists them. The work is done by scripts/*.sh.

FUZZTIME ?= 10m
TORTURETIME ?= 10m

.PHONY: help run test check bench fuzz torture build reproduce release audit web site clean
.DEFAULT_GOAL := help

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

run: ## serve the sample application; prints its address
	@sh scripts/run.sh

check: ## the quick checks before a commit (2 minutes once warm)
	@sh scripts/check.sh

test: ## everything CI runs: tests, race detector, fuzzing, browser (15 minutes on two cores)
	@sh scripts/test.sh

fuzz: ## fuzz every decoder; FUZZTIME=10m is for each target
	@sh scripts/fuzz.sh each $(FUZZTIME)

torture: ## the long form of the crash and fault tests, again for TORTURETIME=10m
	@sh scripts/torture.sh $(TORTURETIME)

bench: ## measure side by side; prints a table, writes bench/report.json
	@cd bench && go run .

build: web ## build the program ./limn with the browser side in it
	@sh scripts/build.sh limn

reproduce: ## build twice, in two folders, and compare the bytes
	@sh scripts/reproduce.sh

release: web ## build programs for six platforms, packages and their papers into dist/release
	@sh scripts/release.sh

audit: ## look for known weaknesses in the modules
	@sh scripts/audit.sh

web: ## build the browser side into web/dist
	@sh scripts/web.sh

site: ## write the documentation as a site into dist/site
	@rm -rf dist/site
	@go run ./internal/docsite/cmd dist/site

clean: ## remove what these commands built
	rm -rf limn dist web/node_modules bench/report.json
	find web/dist -type f ! -name .keep -delete
