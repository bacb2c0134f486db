# Build, test and packaging commands. `make` alone lists them; every one is sufficient by itself.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build test test-window test-servers check deny stress soak fuzz types models remote bench bench-compare bench-record \
	installable install package clean needs-build needs-test needs-package fetch ui ui-tests

# rustup puts cargo here and tells only new shells.
export PATH := $(PATH):$(HOME)/.cargo/bin

# Always in the checkout, where the programs find their models.
export CARGO_TARGET_DIR := $(CURDIR)/target

# llama.cpp for this processor: the same for `make run` and `make test`, or the second would compile it again.
$(foreach flag,$(shell sh packaging/generators.sh flags),$(eval export $(flag)))

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)

# The programs that open sockets; the packages hold the clients of remote indexes too.
REMOTE := -p oriel-remote -p oriel-serve
PACKAGED_REMOTE := $(REMOTE) --features oriel-remote/index

# $(call step,what is done,the command,what to say when it fails)
define step
@printf '\n== %s\n' '$(1)'
@$(2) || { printf '\nmake $@: %s\n' '$(3)' >&2; exit 1; }
endef

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

run: ## install what is missing, build, and open the window; without a display show the main job in the terminal
	@sh .ci/start

build: needs-build ui ## build the app, the command and the generator in target/debug: oriel-desktop, oriel, oriel-generator
	$(call step,Build,cargo build --locked,the build failed; the compiler says why above)

remote: needs-build ## build the programs that open sockets in target/debug: oriel-remote, oriel-remote-index, oriel-serve
	$(call step,Build the network programs,cargo build --locked $(PACKAGED_REMOTE),the build failed; the compiler says why above)

# What the window shows, made anew where a source is newer.
ui: ui/dist/.made

ui/node_modules/.made: ui/package-lock.json
	$(call step,Packages of the window,cd ui && npm ci --no-audit --no-fund --loglevel=error && touch node_modules/.made,npm could not fetch the packages; check the network)

UI_SOURCES := $(shell find ui/src ui/public -type f 2>/dev/null) ui/index.html ui/vite.config.ts ui/package.json

ui/dist/.made: ui/node_modules/.made $(UI_SOURCES)
	$(call step,Build what the window shows,cd ui && npm run --silent build && touch dist/.made,vite says why above)

ui-tests: ui
	$(call step,Tests of the parts of the window,cd ui && npm run --silent test,a test of the window failed; it stands above)

# Tests want the model that writes; a user can do without.
test test-window test-servers stress soak: export ORIEL_GENERATOR := required

# What the journeys through the window need beside the app.
define journey_programs
$(call step,Build the network programs,cargo build --locked $(REMOTE),the build failed; the compiler says why above)
$(call step,Build what the journeys drag from,cargo build --locked --example drag-source,the build failed; the compiler says why above)
endef

# One test runner, which everybody has. Documentation has no code that could be run.
tests = cargo test --locked --no-fail-fast --lib --bins --tests

test: needs-test fetch models ui-tests build ## unit tests, the command on the real models, and journeys through the app window
	$(journey_programs)
	$(call step,Tests,$(tests),a test failed; it stands above)
	$(call step,Tests of the network programs,$(tests) $(REMOTE),a test failed; it stands above)

test-window: needs-test models build ## every other journey through the app window; takes half an hour
	$(journey_programs)
	$(call step,Journeys,cargo test --locked --no-fail-fast --test e2e -- --ignored --skip _figures,a test failed; it stands above)

test-servers: needs-test models build remote ## Milvus, PostgreSQL, a llama.cpp server, and the MCP and OpenAI clients of others
	$(call step,Servers and clients,sh .ci/servers,a server or client was not dealt with as it should be; it stands above)

check: needs-build ui ## format, and lints of Rust and of the window; no test of Oriel
	$(call step,Format,cargo fmt --all --check,some files are not formatted; run cargo fmt --all)
	$(call step,Lints,cargo clippy --locked --all-targets -- -D warnings,clippy found something; it stands above)
	$(call step,Lints of the network programs,cargo clippy --locked $(PACKAGED_REMOTE) --all-targets -- -D warnings,clippy found something; it stands above)
	$(call step,Types of the window,cd ui && npm run --silent check,svelte-check found something; it stands above)
	$(call step,Lints of the window,cd ui && npm run --silent lint,eslint found something; it stands above)
	$(call step,Tests of the ratios of the benchmarks,python3 -m unittest discover -s benches/peers,a test failed; it stands above)

deny: ## hold the dependencies to deny.toml: licences, bans, sources, advisories
	@command -v cargo-deny >/dev/null 2>&1 || { \
		echo 'make deny: cargo-deny is missing; install it with: cargo install --locked cargo-deny' >&2; exit 1; }
	$(call step,Licences and bans and sources,cargo deny check licenses bans sources,deny.toml does not allow this tree)
	$(call step,Advisories,cargo deny check advisories,there is an advisory or the list of them cannot be fetched)

# One test of the integration tests, with the features that `make test` has.
integration = cargo test --locked --test integration

stress: needs-test fetch models build ## a thousand kills, ten thousand changes, a burst of 20,000 files, the figures of large libraries; takes two hours
	$(call step,A thousand kills,ORIEL_KILLS=1000 $(integration) kills_at_any_moment -- --nocapture,a library was not sound; it stands above)
	$(call step,Ten thousand changes,PROPTEST_CASES=200 cargo test --locked --lib what_can_be_found,what is found is not what the folder holds; it stands above)
	$(call step,Kills and failing disks at every place,ORIEL_KILLS=16 ORIEL_FAULTS=14 $(integration) -- keeping_kills:: kills_while_indexing faults:: a_disk_that_fails_at_any_write an_import_tells answers_of_encyclopedia --include-ignored,a library was not sound; it stands above)
	$(call step,Twenty thousand files,ORIEL_BURST=20000 $(integration) burst:: -- --nocapture,the library is not the folder or costs too much; it stands above)
	$(call step,Figures,$(integration) library_figures:: -- --nocapture --ignored --test-threads=1,a figure is not met; it stands above)

soak: needs-test fetch models build ## an hour in the life of a library that is watched, asked, stopped and woken; ORIEL_SOAK_SECONDS says how long
	$(call step,A long life,ORIEL_SOAK_SECONDS=$(or $(ORIEL_SOAK_SECONDS),3600) $(integration) soak:: -- --nocapture --include-ignored,it takes more and more or is not the folder; it stands above)

FUZZ_TARGETS := read package pdf segment receive visible

# The coverage that libFuzzer needs, as LLVM knows it: no nightly compiler is required.
FUZZ_FLAGS := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-trace-compares \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1

fuzz = RUSTFLAGS='$(FUZZ_FLAGS)' cargo $(1) --quiet --locked --profile fuzz -p oriel-fuzz --target-dir target/fuzz --target host-tuple

fuzz: needs-build ## search for input that breaks a reader, FUZZ_SECONDS (600) a target; what is found is in fuzz/found
	$(call step,Build the fuzz targets,$(call fuzz,build),the build failed; the compiler says why above)
	@mkdir -p fuzz/found; failed=; for target in $(FUZZ_TARGETS); do \
		printf '\n== Fuzz: %s\n' "$$target"; mkdir -p "target/fuzz/corpus/$$target"; \
		$(call fuzz,run) --bin "$$target" -- "target/fuzz/corpus/$$target" "fuzz/seeds/$$target" -timeout=10 \
			-max_total_time=$(or $(FUZZ_SECONDS),600) -artifact_prefix="fuzz/found/$$target-" || failed="$$failed $$target"; \
	done; [ -z "$$failed" ] || { printf '\nmake fuzz: found something in:%s; the files are in fuzz/found\n' "$$failed" >&2; exit 1; }

types: ## write ui/src/ipc/types.ts and samples of messages from the Rust types
	$(call step,Types across the border,ORIEL_WRITE_TYPES=1 cargo test --locked -q --lib typescript,the types could not be written; the compiler says why above)

models: ## fetch the models that are missing
	$(call step,Models,sh .ci/models,a model could not be fetched; the line above says why)

bench: needs-build models ## measure the parts beside other programs, in one table; docs/benchmarks.md has the settings
	$(call step,Benchmarks,sh .ci/bench,a benchmark failed; it stands above)

bench-compare: needs-build models ## the same, and fail where a ratio to the best peer fell by more than 15%
	$(call step,Benchmarks,sh .ci/bench --compare,a ratio fell or a benchmark failed; it stands above)

bench-record: needs-build models ## the same, and write the ratios to benches/ratios.json
	$(call step,Benchmarks,sh .ci/bench --record,a benchmark failed; it stands above)

installable: needs-build fetch models ui ## everything that make install copies, optimised as a whole, in target/dist
	$(call step,Build the app and the command,cargo build --locked --profile dist -p oriel-desktop -p oriel-cli,the build failed; the compiler says why above)
	$(call step,Build the generator for every processor,sh packaging/generators.sh all,the build failed; the compiler says why above)
	$(call step,Build the network programs,cargo build --locked --profile dist $(PACKAGED_REMOTE),the build failed; the compiler says why above)
	$(call step,Licences of the libraries,python3 packaging/licences.py >target/dist/third-party-licences,the licences cannot be collected; the lines above say why)

install: ## copy what make installable made below DESTDIR and PREFIX (/usr/local)
	@[ -f target/dist/third-party-licences ] || { \
		echo 'make install: nothing is built yet; run make installable first, as yourself' >&2; exit 1; }
	$(call step,Install,sh packaging/install.sh target/dist '$(DESTDIR)' '$(or $(PREFIX),/usr/local)',a file could not be installed; the line above says why)

package: needs-package installable ## build the .deb and the .rpm, in target/packages, and check them
	$(call step,Packages,sh packaging/package.sh target '$(VERSION)',a package could not be built or has an error; it stands above)

clean: ## delete what was built, nothing else
	$(call step,Clean,rm -rf target ui/dist ui/node_modules,the build folder cannot be deleted; the line above says why)

needs-build:
	@sh .ci/prepare build

needs-package:
	@sh .ci/prepare package

needs-test:
	@sh .ci/prepare test

# A test looks at the trees of every target: all dependencies have to be here, not only those that are built on this machine.
fetch:
	@cargo fetch --locked --quiet || { \
		echo 'make: the dependencies cannot be fetched; check the network and Cargo.lock' >&2; exit 1; }
