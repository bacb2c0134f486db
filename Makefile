# The commands of the house. `make` alone lists them; every one is sufficient by itself.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build test check stress soak fuzz lint types models bench bench-compare bench-record deny installable install package clean needs-build needs-test needs-package fetch ui ui-checks

# rustup puts cargo here and tells only new shells.
export PATH := $(PATH):$(HOME)/.cargo/bin

CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)

# On a machine that tests many clones the build stays outside of them, so that a fresh clone finds it warm.
ifneq ($(filter-out 0 false,$(CI)),)
  export CARGO_TARGET_DIR ?= $(CACHE)/oriel/target
endif
TARGET := $(or $(CARGO_TARGET_DIR),target)

# What the tests start.
PROGRAMS := -p oriel-desktop -p oriel-cli -p oriel-generator

# The workspace of the programs that open sockets.
REMOTE := --locked --manifest-path remote/Cargo.toml --target-dir '$(TARGET)/remote'

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)

NEXTEST := $(shell PATH="$(PATH)"; command -v cargo-nextest)

# $(call step,what is done,the command,what to say when it fails)
define step
@printf '\n== %s\n' '$(1)'
@$(2) || { printf '\nmake $@: %s\n' '$(3)' >&2; exit 1; }
endef

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

run: build models ## install what is missing, build, and open the window; without a display show the main job in the terminal
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
		printf '\n== The window\n'; exec target/release/oriel-desktop; \
	else \
		printf '\n== The sample documents\n'; sh tests/demo.sh target/release/oriel || { \
			printf '\nmake run: the demonstration failed; the line above says why\n' >&2; exit 1; }; \
	fi

build: needs-build ui ## build all programs in release, in target/release: oriel-desktop, oriel, oriel-generator, oriel-remote, oriel-serve
	$(call step,Build in release,cargo build --locked --release -p oriel-desktop -p oriel-cli,the build failed; the compiler says why above)
	$(call step,Build the generator for this processor,sh packaging/generators.sh '$(TARGET)' here,the build failed; the compiler says why above)
	$(call step,Build the network programs,cargo build $(REMOTE) --release,the build failed; the compiler says why above)
	@cp -f '$(TARGET)/remote/release/oriel-remote' '$(TARGET)/remote/release/oriel-serve' '$(TARGET)/release/'
	@if [ '$(TARGET)' != target ]; then \
		mkdir -p target/release && cp -f '$(TARGET)/release/oriel' '$(TARGET)/release/oriel-desktop' \
			'$(TARGET)'/release/oriel-generator* '$(TARGET)/release/oriel-remote' '$(TARGET)/release/oriel-serve' \
			target/release/; \
	fi

# What the window shows, made anew where a source is newer.
ui: ui/dist/.made

ui/node_modules/.made: ui/package-lock.json
	$(call step,Packages of the window,cd ui && npm ci --no-audit --no-fund --loglevel=error && touch node_modules/.made,npm could not fetch the packages; check the network)

UI_SOURCES := $(shell find ui/src ui/public -type f 2>/dev/null) ui/index.html ui/vite.config.ts ui/package.json

ui/dist/.made: ui/node_modules/.made $(UI_SOURCES)
	$(call step,Build what the window shows,cd ui && npm run --silent build && touch dist/.made,vite says why above)

ui-checks: ui
	$(call step,Types of the window,cd ui && npm run --silent check,svelte-check found something; it stands above)
	$(call step,Lints of the window,cd ui && npm run --silent lint,eslint found something; it stands above)
	$(call step,Tests of the parts of the window,cd ui && npm run --silent test,a test of the window failed; it stands above)

test: needs-test fetch ui-checks ## format, lints and the whole suite, on the real models
	$(lints)
	$(ratios)
	$(call step,Tests of the network programs,cargo test $(REMOTE),a test failed; it stands above)
	$(call step,Build for the tests,cargo build --locked $(PROGRAMS),the build failed; the compiler says why above)
	$(call step,Models,ORIEL_GENERATOR=required sh .ci/models '$(TARGET)/debug/oriel',a model could not be fetched; the line above says why)
	$(call step,MCP clients of others,sh .ci/mcp '$(TARGET)/debug/oriel',a client was not served; it stands above)
	$(call step,Indexes elsewhere,sh .ci/index '$(TARGET)',an index was not asked as it should be; it stands above)
	$(call step,Generator on a server,sh .ci/generator '$(TARGET)/debug/oriel',a server was not used as it should be; it stands above)
	$(call step,The OpenAI client,sh .ci/serve '$(TARGET)/debug/oriel',the client was not served; it stands above)
ifneq ($(NEXTEST),)
	$(call step,Tests,cargo nextest run --locked --workspace,a test failed; it stands above)
	@if grep -rqE '^ *//[/!] *```' crates/*/src; then cargo test --locked --workspace --doc; fi
else
	$(call step,Tests,cargo test --locked --workspace,a test failed; it stands above)
endif

check: needs-build ui-checks ## format, lints and unit tests, without models and without the app window
	$(lints)
	$(ratios)
ifneq ($(NEXTEST),)
	$(call step,Unit tests,cargo nextest run --locked --workspace --lib --bins,a test failed; it stands above)
else
	$(call step,Unit tests,cargo test --locked --workspace --lib --bins,a test failed; it stands above)
endif

stress: needs-test fetch ## a thousand kills, ten thousand changes, a burst of 20,000 files, the figures of large libraries; takes two hours
	$(call step,Build for the tests,cargo build --locked $(PROGRAMS),the build failed; the compiler says why above)
	$(call step,Models,ORIEL_GENERATOR=required sh .ci/models '$(TARGET)/debug/oriel',a model could not be fetched; the line above says why)
	$(call step,A thousand kills,ORIEL_KILLS=1000 $(integration) kills_at_any_moment -- --nocapture,a library was not sound; it stands above)
	$(call step,Ten thousand changes,PROPTEST_CASES=200 cargo test --locked --workspace --lib what_can_be_found,what is found is not what the folder holds; it stands above)
	$(call step,Twenty thousand files,ORIEL_BURST=20000 $(integration) burst:: -- --nocapture,the library is not the folder or costs too much; it stands above)
	$(call step,Figures,$(integration) library_figures:: -- --nocapture --ignored --test-threads=1,a figure is not met; it stands above)

soak: needs-test fetch ## an hour in the life of a library that is watched, asked, stopped and woken; ORIEL_SOAK_SECONDS says how long
	$(call step,Build for the tests,cargo build --locked $(PROGRAMS),the build failed; the compiler says why above)
	$(call step,A long life,ORIEL_SOAK_SECONDS=$(or $(ORIEL_SOAK_SECONDS),3600) $(integration) soak:: -- --nocapture,it takes more and more or is not the folder; it stands above)

FUZZ_TARGETS := read package pdf segment receive visible

# The coverage that libFuzzer needs, as LLVM knows it: no nightly compiler is required.
FUZZ_FLAGS := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-trace-compares \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1

fuzz = RUSTFLAGS='$(FUZZ_FLAGS)' cargo $(1) --quiet --release --manifest-path fuzz/Cargo.toml --target-dir '$(TARGET)/fuzz' --target host-tuple

fuzz: needs-build ## search for input that breaks a reader, FUZZ_SECONDS (600) a target; what is found is in fuzz/found
	$(call step,Build the fuzz targets,cp Cargo.lock fuzz/ && $(call fuzz,build),the build failed; the compiler says why above)
	@mkdir -p fuzz/found; failed=; for target in $(FUZZ_TARGETS); do \
		printf '\n== Fuzz: %s\n' "$$target"; mkdir -p "$(TARGET)/fuzz/corpus/$$target"; \
		$(call fuzz,run) --bin "$$target" -- "$(TARGET)/fuzz/corpus/$$target" "fuzz/seeds/$$target" -timeout=10 \
			-max_total_time=$(or $(FUZZ_SECONDS),600) -artifact_prefix="fuzz/found/$$target-" || failed="$$failed $$target"; \
	done; [ -z "$$failed" ] || { printf '\nmake fuzz: found something in:%s; the files are in fuzz/found\n' "$$failed" >&2; exit 1; }

types: ## write ui/src/ipc/types.ts and samples of messages from the Rust types
	$(call step,Types across the border,ORIEL_WRITE_TYPES=1 cargo test --locked -q --workspace --lib typescript,the types could not be written; the compiler says why above)

lint: needs-build ui ## format and lints only
	$(lints)

models: build ## fetch the models that are missing
	$(call step,Models,sh .ci/models target/release/oriel,a model could not be fetched; the line above says why)

bench: models ## measure the parts beside other programs, in one table; docs/benchmarks.md has the settings
	$(call step,Benchmarks,sh .ci/bench '$(TARGET)',a benchmark failed; it stands above)

bench-compare: models ## the same, and fail where a ratio to the best peer fell by more than 15%
	$(call step,Benchmarks,sh .ci/bench '$(TARGET)' --compare,a ratio fell or a benchmark failed; it stands above)

bench-record: models ## the same, and write the ratios to benches/ratios.json
	$(call step,Benchmarks,sh .ci/bench '$(TARGET)' --record,a benchmark failed; it stands above)

deny: ## hold the dependencies to deny.toml: licences, bans, sources, advisories
	@command -v cargo-deny >/dev/null 2>&1 || { \
		echo 'make deny: cargo-deny is missing; install it with: cargo install --locked cargo-deny' >&2; exit 1; }
	$(call step,Licences and bans and sources,cargo deny check licenses bans sources,deny.toml does not allow this tree)
	$(call step,The same of the network programs,cd remote && cargo deny check licenses bans sources,remote/deny.toml does not allow this tree)
	$(call step,Advisories,cargo deny check advisories && cd remote && cargo deny check advisories,there is an advisory or the list of them cannot be fetched)

installable: fetch build models ## everything that make install copies
	$(call step,Build the generator for every processor,sh packaging/generators.sh '$(TARGET)' all,the build failed; the compiler says why above)
	$(call step,Licences of the libraries,python3 packaging/licences.py . remote >'$(TARGET)/release/third-party-licences',the licences cannot be collected; the lines above say why)

install: ## copy what make installable made below DESTDIR and PREFIX (/usr/local)
	@[ -f '$(TARGET)/release/third-party-licences' ] || { \
		echo 'make install: nothing is built yet; run make installable first, as yourself' >&2; exit 1; }
	$(call step,Install,sh packaging/install.sh '$(TARGET)' '$(DESTDIR)' '$(or $(PREFIX),/usr/local)',a file could not be installed; the line above says why)

package: needs-package installable ## build the .deb and the .rpm, in target/packages, and check them
	$(call step,Packages,sh packaging/package.sh '$(TARGET)' '$(VERSION)',a package could not be built or has an error; it stands above)

clean: ## delete what was built, nothing else
	$(call step,Clean,cargo clean --quiet && rm -rf ui/dist ui/node_modules remote/target,the build folder cannot be deleted; the line above says why)
	@if [ '$(TARGET)' != target ]; then rm -rf target; fi

# All packages, as `make test` builds them: another choice has other features, and half of the tree is built anew.
integration = cargo test --locked --workspace --test integration

clippy = cargo clippy --locked --workspace --all-targets -- -D warnings

define lints
$(call step,Format,cargo fmt --all --check && cargo fmt --all --manifest-path remote/Cargo.toml --check,some files are not formatted; run cargo fmt --all here and in remote)
$(call step,Lints,$(clippy),clippy found something; it stands above)
$(call step,Lints of the network programs,cargo clippy $(REMOTE) --all-targets -- -D warnings,clippy found something; it stands above)
endef

ratios = $(call step,Tests of the ratios of the benchmarks,python3 -m unittest discover -s benches/peers,a test failed; it stands above)

needs-build:
	@sh .ci/prepare build

needs-package:
	@sh .ci/prepare package

needs-test:
	@sh .ci/prepare test

# Tests look at the trees of every target, licences and bans: all dependencies have to be here, not only those that are
# built on this machine.
fetch:
	@cargo fetch --locked --quiet && cargo fetch --locked --quiet --manifest-path remote/Cargo.toml || { \
		echo 'make: the dependencies cannot be fetched; check the network and Cargo.lock' >&2; exit 1; }
