# Two targets do everything, each installing what it lacks, and saying so before:
#   make verify   re-check every claim and print the ledger
#   make test     run all tests
# With NO_INSTALL=1 nothing is installed (no package of the system, of Python or of npm, no tool), and what is then not checked is said:
#   make test NO_INSTALL=1
# The ledger as pages for a browser, in target/book, from a run of its own; and whether they fit a phone, where Chromium is found:
#   make book
# The same with the page that checks, whose exact core is built as WebAssembly where Rust can be had for it; and a walk through that page:
#   make site
# For those who use it and don't change it:
#   make wheel                  the package for Python, with the command inside, in target/wheels, tried where no Rust is seen
#   make install [PREFIX=DIR]   the command, its manual pages and its completions, in ~/.local unless told otherwise
# The certified vectors, held against samplers and values in Python and JavaScript:
#   make vectors     [NIGHTLY=1]: then in Rust too, and against libraries of others, which takes twelve minutes more
# The auditor in the test suites of others, in JavaScript, and on a cluster, where Python and Node are found:
#   make test-ecosystem
# Libraries of others, audited against what their plans expect, in environments of their own:
#   make campaign     [JOBS=2] [LEVEL=1/20] [LIBRARIES="opendp diffprivlib"]
#   make peers        auditors of others and ours, on laws whose privacy is known: [RUNS=100]
#   make time         how many calls until the time of a sampler speaks, of ours and of OpenDP
#   make accountants  accountants of others, beside certified enclosures: [MINUTES=60] for each
#   make learners     learners of two classes, ours and others, on ten public data sets: DATA=DIR [REPETITIONS=40]
# The proofs for all parameters, where Coq is or may be installed:
#   make prove            check them, and that the shipped samplers do what the programs do that they speak of
#   make prove-nightly    and once more with Coq's own checker; and errors and rewritings of the translated source
# The others try whether the evidence notices errors:
#   make plants   plant the errors of tests/plants.toml, one at a time: all, or in the folder or file ROOM of any package's
#                 sources, or those that a row or a unit test notices: [ROOM=halfspaces] [BY=row] [BY=test]; and BY=proof, those of
#                 proof/source/plants.txt, each of which the translator of the source or Coq must refuse
#   make mutants  change the code at random, of a folder of src/ or of the reference, or of all: [ROOM=law] [ROOM=reference/privacy] [N=150]
#                 [SEED=1]; with [KIND=sweep] by exchanging arguments and dropping terms; WRITE=1 writes results/mutants.md
#   make arb      compare our enclosures with Arb's, in an environment of its own: [N=10000]
# The first two use the second arithmetic (MPFR) where m4 is present or may be installed, and say so where not.

CARGO ?= cargo
# Scripts read both, and each target says what fails of all that it runs.
export CARGO NO_INSTALL
# Whether there is a second arithmetic is decided when a target runs, after the attempt to install m4.
MPFR = command -v m4 >/dev/null 2>&1 && command -v cc >/dev/null 2>&1
SECOND = $$($(MPFR) && echo "--features dp-assay-cli/mpfr")
# All packages, with the second arithmetic where it can be built.
ALL = --workspace $$($(MPFR) && echo "--features dp-assay-cli/mpfr" || echo "--exclude dp-assay-witness")
# Tests of all packages but of the experiments, and with EXCLUDED= of these too.
TEST = $(CARGO) test --no-fail-fast --profile ci
EXCLUDED = --exclude dp-assay-experiments
TESTED = $(ALL) $(EXCLUDED)

# The exact core alone, with the features for other crates of the ecosystem.
ECOSYSTEM = proptest quickcheck rand serde
CORE = --package dp-assay --no-default-features $(ECOSYSTEM:%=--features %)
# The auditor alone: the command without the papers, its claims of stability and certified values.
ALONE = --package dp-assay-cli --no-default-features

# The version of cargo-mutants: another makes other changes, and the samples and tests/survivors.toml are of these.
MUTANTS = 27.1.0

.PHONY: verify book site wheel install test test-nightly durations times test-ecosystem vectors campaign peers time prove prove-nightly lint plants mutants arb m4 coq accountants learners

verify: m4
	$(CARGO) run --release --package dp-assay-cli $(SECOND) -- verify
	@echo "to read it in a browser: make book"

# The commit is that of the sources where they are under version control, and are as committed.
book site: COMMIT = $(shell git diff --quiet HEAD 2>/dev/null && git rev-parse --short=12 HEAD 2>/dev/null)
book: m4
	$(CARGO) run --release --package dp-assay-cli $(SECOND) -- book --out target/book $(COMMIT:%=--commit %)
	scripts/browser target/book

site: m4
	core=$$(scripts/webassembly) || [ $$? = 77 ] || exit 1; \
	$(CARGO) run --release --package dp-assay-cli $(SECOND) -- book --out target/book $(COMMIT:%=--commit %) $${core:+--core "$$core"}
	@scripts/each "scripts/browser target/book" "scripts/walk target/book"

wheel:
	@scripts/each audit/python/wheel

PREFIX ?= $(HOME)/.local
install:
	$(CARGO) build --release --locked --package dp-assay-cli
	scripts/install "$${CARGO_TARGET_DIR:-target}/release/assay" "$(PREFIX)"

# Property tests have one seed here, so that a failure comes again; plain cargo test draws its own. The auditor alone is built by `make lint`,
# and its tests run at night.
# Twice as many tests at once as there are processors, since many wait for a program or a clock.
test durations: export PROPTEST_RNG_SEED = 1
test: export RUST_TEST_THREADS ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
test: m4
	@scripts/each "$(TEST) $(TESTED)"

# All tests, the experiments' among them, each at its full length (NIGHTLY); the auditor alone; and the exact core alone with the
# features for others. The whole command is built after the auditor, and is the one that stays.
test-nightly: export NIGHTLY = 1
test-nightly: export PROPTEST_RNG_SEED = 1
test-nightly: EXCLUDED =
test-nightly: m4
	@scripts/each "$(TEST) $(ALONE) --lib --test command" "$(TEST) $(TESTED)" \
		"$(TEST) --package dp-assay-tests --no-default-features --test neighbours --test ecosystem" "$(TEST) $(CORE) --doc"

# How long the slowest tests take, each in a process of its own: results/durations.md.
durations: m4
	scripts/durations "$(TESTED)"

# How long the commands of the README take here: results/times.md.
times: m4
	scripts/times

# The package for Python and its example, the recorder of noise with numpy, the examples in JavaScript, and the recipes for clusters with
# two Dask workers and one that is killed, where Python and Node are found and what they need can be installed: otherwise "skipped" is said.
test-ecosystem:
	@scripts/each audit/python/run-tests audit/targets/python/run-tests audit/targets/javascript/run-tests experiments/cluster/run-tests

# The checkers of spec/vectors on our samplers and on planted mistakes; at night also in Rust, and on libraries that can be installed. (The
# bytes of the vectors are frozen, and the libraries' versions pinned: by day nothing changes there.)
vectors:
	@scripts/each spec/vectors/check/run $${NIGHTLY:+spec/vectors/examples/run}

# The records stay in target/campaign: what is finished does not run again. The page is written whatever is found. One level is
# shared over all audits: with probability at least 1 - LEVEL no true claim is called violated.
campaign: LEVEL = 1/20
campaign: LIBRARIES = $(notdir $(patsubst %/plan.toml,%,$(wildcard experiments/libraries/*/plan.toml)))
campaign:
	$(CARGO) build --release --package dp-assay-cli
	status=0; target/release/assay campaign $(LIBRARIES:%=experiments/libraries/%/plan.toml) --level $(LEVEL) --out target/campaign $(JOBS:%=--jobs %) || status=$$?; \
	cp target/campaign/campaign.md experiments/results/campaign.md; exit $$status

peers: RUNS = 100
peers:
	$(CARGO) build --release --package dp-assay-cli
	RUNS="$(RUNS)" experiments/peers/run

time:
	$(CARGO) build --release --package dp-assay-cli --package dp-assay-audit --bins --example noise
	experiments/time/run

accountants: MINUTES = 60
accountants:
	$(CARGO) build --release --package dp-assay-cli
	python3 -B experiments/accountants/compare.py $(MINUTES)

learners: REPETITIONS = 40
learners:
	$(CARGO) build --release --package dp-assay-cli
	python3 -B experiments/learners/compare.py "$(DATA)" $(REPETITIONS)

prove: coq
	scripts/prove

prove-nightly: coq
	scripts/prove nightly

# What is compiled only with the papers, only without them, or only with the second arithmetic, is seen too.
lint:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path proof/bridge/Cargo.toml --check
	$(CARGO) fmt --manifest-path proof/source/Cargo.toml --check
	$(CARGO) clippy $(ALL) --all-targets -- -D warnings
	$(CARGO) clippy $(ALONE) --all-targets -- -D warnings
	$(CARGO) clippy $(ALONE) $(SECOND) --all-targets -- -D warnings
	$(CARGO) clippy --manifest-path proof/bridge/Cargo.toml --target-dir "$${CARGO_TARGET_DIR:-target}" -- -D warnings
	$(CARGO) clippy --manifest-path proof/source/Cargo.toml --target-dir "$${CARGO_TARGET_DIR:-target}" -- -D warnings
	$(CARGO) fmt --manifest-path spec/vectors/check/rust/Cargo.toml --check
	$(CARGO) clippy --manifest-path spec/vectors/check/rust/Cargo.toml --target-dir "$${CARGO_TARGET_DIR:-target}" --tests -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(ALL) $(ECOSYSTEM:%=--features dp-assay/%) --no-deps

plants:
	scripts/plants ROOM=$(ROOM) BY=$(BY)

mutants:
	@. scripts/packages.sh; $(CARGO) mutants --version 2>/dev/null | grep -qx "cargo-mutants $(MUTANTS)" \
	|| { may_install "cargo-mutants $(MUTANTS)" "it makes the changes" && $(CARGO) install cargo-mutants --locked --version $(MUTANTS); }
	scripts/mutants ROOM=$(ROOM) KIND=$(KIND) N=$(N) SEED=$(SEED)

arb:
	@scripts/each "scripts/arb N=$(N)"

# m4 is what the build of GMP needs and machines lack.
m4:
	@scripts/system-package m4 m4 "for the second arithmetic, MPFR" "going on with one arithmetic: no claim and no test is checked by MPFR"

coq:
	@scripts/system-package coq coqc "for the proofs" "no proof is checked"
