# Every recipe uses the Node that package.json pins, so that any machine with Node 20 or later and npm will do.
SHELL := /bin/sh
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# npm writes it at the end of every installation.
installed := node_modules/.package-lock.json

# Short-lived objects in portions of 16 MB: pauses to collect them are shorter (docs/decisions/0016).
export NODE_OPTIONS ?= --max-semi-space-size=16

.PHONY: help run dev build test test-names test-quick test-skew mark-release lint typecheck all fuzz faults bench bench-frozen bench-rolling backends run-distributed restart format generate clean

help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Warnings are left out: they are of engines, which concern the shell's Node alone, and of scripts that packages run.
$(installed): package-lock.json
	npm ci --no-fund --no-audit --loglevel=error
	@touch $@

# What Node makes of the sources when it loads them is kept, as services do by themselves: a start costs half of the processor time.
run-distributed faults: export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/compiled

run: $(installed) ## Serves the API on https://127.0.0.1:6443, all in one process (BINNACLE_PORT, BINNACLE_DATA_DIR)
	@exec node services/standalone/main.ts

dev: $(installed) ## The same as run, started again when a source file changes
	@exec node --watch services/standalone/main.ts

build: $(installed) ## Makes a bundle of each service in dist, as the images have them
	@node deploy/compose/build-services.ts

test: $(installed) ## Runs every test, those on real etcd, Redis and Kafka included
	@npm test --silent

test-names: $(installed) ## Runs the tests that depend on names in the vocabulary of Kubernetes
	@BINNACLE_API_NAMES=kubernetes npm test --silent -- --with-names libs services clients deploy tools tests/journeys \
	  tests/conformance/standalone.test.ts tests/clients/standalone.test.ts

test-quick: $(installed) ## Runs the tests that start no backend and no server process, in under three minutes
	@npm run --silent test:quick

fuzz: $(installed) ## Tries inputs on every parser of bytes from outside (TARGET=, MINUTES=10, SEED=)
	@node tests/fuzz/main.ts $(if $(TARGET),--target=$(TARGET)) $(if $(MINUTES),--minutes=$(MINUTES)) $(if $(SEED),--seed=$(SEED)) $(ARGS)

faults: $(installed) ## Kills, stops and freezes parts of the distributed form under load, fills disks, steps clocks, and checks what clients saw (SEED=, MINUTES=10)
	@node tests/faults/suite/main.ts $(if $(SEED),--seed=$(SEED)) $(if $(MINUTES),--minutes=$(MINUTES)) $(ARGS)

test-skew: $(installed) ## Replaces the pods of each service by those of another release and back, under traffic (BASE=revision)
	@BINNACLE_LAST_RELEASE=$(or $(BASE),$(shell cat deploy/releases/last)) node tools/run-tests/main.ts tests/faults/one-form/earlier-release.kafka.test.ts

mark-release: ## Notes the current commit as the last release, whose services CI runs beside those of later commits
	@git diff --quiet HEAD || { echo 'commit first: a release has no changes besides its commit' >&2; exit 1; }
	@git rev-parse HEAD >deploy/releases/last

lint: $(installed) ## Checks format, imports, sizes, names and words; warnings are errors
	@npm run --silent lint

typecheck: $(installed) ## Checks the types
	@npm run --silent typecheck

all: lint typecheck ## What CI runs: lint, types, generated code up to date, every test, and in both vocabularies what depends on names
	@npm run --silent generate -- --check
	@$(MAKE) --silent test-names
	@npm test --silent

bench: $(installed) ## Runs the load test and writes its report (ARGS="--help" shows its options)
	@npm run --silent bench -- $(ARGS)

bench-frozen: $(installed) ## Freezes each process but etcd while requests go on, and prints how long they wait (ARGS="--help" shows its options)
	@node bench/frozen/main.ts $(ARGS)

bench-rolling: $(installed) ## Restarts each service under writes and watches, and prints what failed, waited or was lost (ARGS="--help" shows its options)
	@node bench/rolling/main.ts $(ARGS)

backends: $(installed) ## Fetches what is missing of etcd, Redis, Kafka and kubectl
	@node deploy/backends/install.ts

run-distributed: $(installed) ## Runs the services as separate processes on real etcd, Kafka and Redis (ARGS=--ha: on three etcd and three Kafka)
	@exec node deploy/compose/run-distributed.ts $(ARGS)

restart: $(installed) ## Restarts one process of run-distributed and waits until it is ready (POD=gateway-1)
	@exec node deploy/compose/restart-pod.ts $(if $(POD),--pod=$(POD)) $(ARGS)

format: $(installed) ## Formats the sources
	@npm run --silent format

generate: $(installed) ## Writes the generated code anew
	@npm run --silent generate

clean: ## Removes what was installed, fetched and stored
	rm -rf node_modules dist .backends .binnacle bench/reports
