# Build, test and packaging commands. `make` lists them; each target builds what it needs, except install.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build test test-window test-servers check deny stress soak fuzz types models remote bench bench-compare bench-record \
	installable install package clean needs-build needs-test needs-package fetch ui ui-tests

# rustup installs cargo here, but only new shells have it in their PATH.
export PATH := $(PATH):$(HOME)/.cargo/bin

# Always in the checkout: the programs look for their models relative to it.
export CARGO_TARGET_DIR := $(CURDIR)/target

# Settings of llama.cpp for this processor. They are the same for `make run` and `make test`; otherwise the second would compile
# it again.
$(foreach flag,$(shell sh packaging/generators.sh flags),$(eval export $(flag)))

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)

# The programs that open sockets. The packages also contain the clients of remote indexes.
REMOTE := -p oriel-remote -p oriel-serve
PACKAGED_REMOTE := $(REMOTE) --features oriel-remote/index

# $(call step,title,command,message if the command fails)
define step
@printf '\n== %s\n' '$(1)'
@$(2) || { printf '\nmake $@: %s\n' '$(3)' >&2; exit 1; }
endef

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

run: ## install missing packages, build, and open the app window; without a display run a demonstration in the terminal
	@sh .ci/start

build: needs-build ui ## build the app, the command and the generator in target/debug: oriel-desktop, oriel, oriel-generator
	$(call step,Build,cargo build --locked,the build failed; the compiler says why above)

remote: needs-build ## build the programs that open sockets in target/debug: oriel-remote, oriel-remote-index, oriel-serve
	$(call step,Build the network programs,cargo build --locked $(PACKAGED_REMOTE),the build failed; the compiler says why above)

# The page of the app window, built again if a source is newer.
ui: ui/dist/.made

ui/node_modules/.made: ui/package-lock.json
	$(call step,Packages of the page,cd ui && npm ci --no-audit --no-fund --loglevel=error && touch node_modules/.made,npm could not fetch the packages; check the network)

UI_SOURCES := $(shell find ui/src ui/public -type f 2>/dev/null) ui/index.html ui/vite.config.ts ui/package.json

ui/dist/.made: ui/node_modules/.made $(UI_SOURCES)
	$(call step,Build the page,cd ui && npm run --silent build && touch dist/.made,vite says why above)

ui-tests: ui
	$(call step,Tests of the page,cd ui && npm run --silent test,a test of the page failed; see above)

# Tests need the generator; a user can do without.
test test-window test-servers stress soak: export ORIEL_GENERATOR := required

# The programs that the journeys through the window need in addition to the app.
define journey_programs
$(call step,Build the network programs,cargo build --locked $(REMOTE),the build failed; the compiler says why above)
$(call step,Build the source of dragged files,cargo build --locked --example drag-source,the build failed; the compiler says why above)
endef

# The test runner of cargo, which needs no installation. Documentation has no code to run.
tests = cargo test --locked --no-fail-fast --lib --bins --tests

test: needs-test fetch models ui-tests build ## unit tests, the command on the real models, and journeys through the app window
	$(journey_programs)
	$(call step,Tests,$(tests),a test failed; see above)
	$(call step,Tests of the network programs,$(tests) $(REMOTE),a test failed; see above)

test-window: needs-test models build ## all other journeys through the app window; takes half an hour
	$(journey_programs)
	$(call step,Journeys,cargo test --locked --no-fail-fast --test e2e -- --ignored --skip _figures,a test failed; see above)

test-servers: needs-test models build remote ## tests with Milvus, PostgreSQL, a llama.cpp server, and MCP and OpenAI clients
	$(call step,Servers and clients,sh .ci/servers,a test with a server or client failed; see above)

check: needs-build ui ## formatting, and lints of Rust and TypeScript; no tests of Oriel
	$(call step,Format,cargo fmt --all --check,some files are not formatted; run cargo fmt --all)
	$(call step,Lints,cargo clippy --locked --all-targets -- -D warnings,clippy found something; see above)
	$(call step,Lints of the network programs,cargo clippy --locked $(PACKAGED_REMOTE) --all-targets -- -D warnings,clippy found something; see above)
	$(call step,Types of the page,cd ui && npm run --silent check,svelte-check found something; see above)
	$(call step,Lints of the page,cd ui && npm run --silent lint,eslint found something; see above)
	$(call step,Tests of the benchmark scripts,python3 -m unittest discover -s benches/peers,a test failed; see above)

deny: ## check the dependencies against deny.toml: licences, bans, sources, advisories
	@command -v cargo-deny >/dev/null 2>&1 || { \
		echo 'make deny: cargo-deny is missing; install it with: cargo install --locked cargo-deny' >&2; exit 1; }
	$(call step,Licences and bans and sources,cargo deny check licenses bans sources,deny.toml does not allow this tree)
	$(call step,Advisories,cargo deny check advisories,there is an advisory or the list of advisories cannot be fetched)

# The integration tests, with the same features as in `make test`.
integration = cargo test --locked --test integration

stress: needs-test fetch models build ## a thousand kills, ten thousand changes, a burst of 20,000 files, the figures of large libraries; takes two hours
	$(call step,A thousand kills,ORIEL_KILLS=1000 $(integration) kills_at_any_moment -- --nocapture,a library was damaged; see above)
	$(call step,Ten thousand changes,PROPTEST_CASES=200 cargo test --locked --lib what_can_be_found,the index differs from the folder; see above)
	$(call step,Kills and failing writes at every place,ORIEL_KILLS=16 ORIEL_FAULTS=14 $(integration) -- keeping_kills:: kills_while_indexing faults:: a_disk_that_fails_at_any_write an_import_tells answers_of_encyclopedia --include-ignored,a library was damaged; see above)
	$(call step,Twenty thousand files,ORIEL_BURST=20000 $(integration) burst:: -- --nocapture,the library differs from the folder or costs too much; see above)
	$(call step,Figures,$(integration) library_figures:: -- --nocapture --ignored --test-threads=1,a figure is not met; see above)

soak: needs-test fetch models build ## an hour of simulated daily use: watch, ask, suspend and resume; ORIEL_SOAK_SECONDS sets the time
	$(call step,Long run,ORIEL_SOAK_SECONDS=$(or $(ORIEL_SOAK_SECONDS),3600) $(integration) soak:: -- --nocapture --include-ignored,memory or files grow or the library differs from the folder; see above)

FUZZ_TARGETS := read package pdf segment receive visible

# The coverage that libFuzzer needs, set through LLVM's own options: no nightly compiler is required.
FUZZ_FLAGS := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-trace-compares \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1

fuzz = RUSTFLAGS='$(FUZZ_FLAGS)' cargo $(1) --quiet --locked --profile fuzz -p oriel-fuzz --target-dir target/fuzz --target host-tuple

fuzz: needs-build ## search for input that breaks a reader, FUZZ_SECONDS (600) per target; failing inputs are written to fuzz/found
	$(call step,Build the fuzz targets,$(call fuzz,build),the build failed; the compiler says why above)
	@mkdir -p fuzz/found; failed=; for target in $(FUZZ_TARGETS); do \
		printf '\n== Fuzz: %s\n' "$$target"; mkdir -p "target/fuzz/corpus/$$target"; \
		$(call fuzz,run) --bin "$$target" -- "target/fuzz/corpus/$$target" "fuzz/seeds/$$target" -timeout=10 \
			-max_total_time=$(or $(FUZZ_SECONDS),600) -artifact_prefix="fuzz/found/$$target-" || failed="$$failed $$target"; \
	done; [ -z "$$failed" ] || { printf '\nmake fuzz: found something in:%s; the files are in fuzz/found\n' "$$failed" >&2; exit 1; }

types: ## write ui/src/ipc/types.ts and samples of messages from the Rust types
	$(call step,Types of the page,ORIEL_WRITE_TYPES=1 cargo test --locked -q --lib typescript,the types could not be written; the compiler says why above)

models: ## download the models that are missing
	$(call step,Models,sh .ci/models,a model could not be fetched; the line above says why)

bench: needs-build models ## compare Oriel with other programs, in one table; docs/benchmarks.md has the settings
	$(call step,Benchmarks,sh .ci/bench,a benchmark failed; see above)

bench-compare: needs-build models ## the same, and fail if a ratio to the best peer fell by more than 15%
	$(call step,Benchmarks,sh .ci/bench --compare,a ratio fell or a benchmark failed; see above)

bench-record: needs-build models ## the same, and write the ratios to benches/ratios.json
	$(call step,Benchmarks,sh .ci/bench --record,a benchmark failed; see above)

installable: needs-build fetch models ui ## build everything that make install copies, with link-time optimisation, in target/dist
	$(call step,Build the app and the command,cargo build --locked --profile dist -p oriel-desktop -p oriel-cli,the build failed; the compiler says why above)
	$(call step,Build the generator for every processor,sh packaging/generators.sh all,the build failed; the compiler says why above)
	$(call step,Build the network programs,cargo build --locked --profile dist $(PACKAGED_REMOTE),the build failed; the compiler says why above)
	$(call step,Licences of the libraries,python3 packaging/licences.py >target/dist/third-party-licences,the licences cannot be collected; the lines above say why)

install: ## copy the files of make installable below DESTDIR and PREFIX (/usr/local)
	@[ -f target/dist/third-party-licences ] || { \
		echo 'make install: nothing is built yet; run make installable first, as yourself' >&2; exit 1; }
	$(call step,Install,sh packaging/install.sh target/dist '$(DESTDIR)' '$(or $(PREFIX),/usr/local)',a file could not be installed; the line above says why)

package: needs-package installable ## build the .deb and the .rpm, in target/packages, and check them
	$(call step,Packages,sh packaging/package.sh target '$(VERSION)',a package could not be built or has an error; see above)

clean: ## delete the build output, nothing else
	$(call step,Clean,rm -rf target ui/dist ui/node_modules,the build folder cannot be deleted; the line above says why)

needs-build:
	@sh .ci/prepare build

needs-package:
	@sh .ci/prepare package

needs-test:
	@sh .ci/prepare test

# A test reads the dependency trees of all targets, so all dependencies must be downloaded, not only those of this machine.
fetch:
	@cargo fetch --locked --quiet || { \
		echo 'make: the dependencies cannot be fetched; check the network and Cargo.lock' >&2; exit 1; }
