# Two targets do everything, each installing what it lacks:
#   make verify   re-check every claim and print the ledger
#   make test     run all tests
# The certified vectors, held against samplers and libraries in Python, JavaScript and Rust:
#   make vectors
# The auditor in the test suites of others, in JavaScript, and on a cluster, where Python and Node are found:
#   make test-ecosystem
# Libraries of others, audited against what their plans expect, in environments of their own:
#   make campaign     [JOBS=2] [LEVEL=1/20] [LIBRARIES="opendp diffprivlib"]
#   make peers        auditors of others and ours, on laws whose privacy is known: [RUNS=100]
# The proofs for all parameters, where Coq is or may be installed:
#   make prove            check them, and that the shipped samplers do what the programs do that they speak of
#   make prove-nightly    and once more with Coq's own checker
# The others try whether the evidence notices errors:
#   make plants   plant the errors of tests/plants.toml, one at a time: [ROOM=halfspaces] [BY=test]
#   make mutants  change the code at random, of one room or of all: [ROOM=law] [N=150] [SEED=1]
#   make arb      compare our enclosures with Arb's, in an environment of its own: [N=10000]
# The first two use the second arithmetic (MPFR) where m4 is present or may be installed, and say so where not.

CARGO ?= cargo
# The features are decided when a target runs, after the attempt to install m4.
FEATURES = $$(command -v m4 >/dev/null 2>&1 && command -v cc >/dev/null 2>&1 && echo "--features mpfr")

# The features for other crates of the ecosystem. They are tested on the exact core alone.
ECOSYSTEM = proptest quickcheck rand serde

# The version of cargo-mutants: another makes other changes, and the samples and tests/survivors.toml are of these.
MUTANTS = 27.1.0

.PHONY: verify test test-ecosystem vectors campaign peers prove prove-nightly lint plants mutants arb m4 coq

verify: m4
	$(CARGO) run --release --package dp-assay-audit $(FEATURES) -- verify

# Property tests have one seed here, so that a failure comes again; plain cargo test draws its own.
test: export PROPTEST_RNG_SEED = 1
test: m4
	$(CARGO) test --release --workspace $(FEATURES)
	$(CARGO) test --release --package dp-assay --no-default-features --features "$(ECOSYSTEM)" --test neighbours --test ecosystem
	$(CARGO) test --release --package dp-assay --no-default-features --features "$(ECOSYSTEM)" --doc

# The package for Python and its example, the examples in JavaScript, and the recipes for clusters with two Dask workers and one that is
# killed, where Python and Node are found and what they need can be installed: otherwise "skipped" is said.
test-ecosystem:
	CARGO="$(CARGO)" audit/python/run-tests || test $$? = 77
	CARGO="$(CARGO)" audit/targets/javascript/run-tests || test $$? = 77
	CARGO="$(CARGO)" experiments/cluster/run-tests || test $$? = 77

# The checkers of spec/vectors on our samplers and on planted mistakes; and on libraries, where these can be installed.
vectors:
	CARGO="$(CARGO)" spec/vectors/check/run
	CARGO="$(CARGO)" spec/vectors/examples/run || test $$? = 77

# The records stay in target/campaign: what is finished does not run again. The page is written whatever is found. One level is
# shared over all audits: with probability at least 1 - LEVEL no true claim is called violated.
campaign: LEVEL = 1/20
campaign: LIBRARIES = $(notdir $(patsubst %/plan.toml,%,$(wildcard experiments/libraries/*/plan.toml)))
campaign:
	$(CARGO) build --release --package dp-assay-audit
	status=0; target/release/assay campaign $(LIBRARIES:%=experiments/libraries/%/plan.toml) --level $(LEVEL) --out target/campaign $(JOBS:%=--jobs %) || status=$$?; \
	cp target/campaign/campaign.md experiments/results/campaign.md; exit $$status

peers: RUNS = 100
peers:
	$(CARGO) build --release --package dp-assay-audit
	RUNS="$(RUNS)" experiments/peers/run

prove: coq
	CARGO="$(CARGO)" scripts/prove

prove-nightly: coq
	CARGO="$(CARGO)" scripts/prove nightly

lint:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path proof/bridge/Cargo.toml --check
	$(CARGO) clippy --workspace --all-targets --features "$(ECOSYSTEM:%=dp-assay/%)" -- -D warnings
	$(CARGO) clippy --manifest-path proof/bridge/Cargo.toml --target-dir target/proof/build/shipped -- -D warnings
	$(CARGO) fmt --manifest-path spec/vectors/check/rust/Cargo.toml --check
	$(CARGO) clippy --manifest-path spec/vectors/check/rust/Cargo.toml --target-dir target/check --tests -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --features "$(ECOSYSTEM:%=dp-assay/%)"

plants:
	CARGO="$(CARGO)" scripts/plants ROOM=$(ROOM) BY=$(BY)

mutants:
	@$(CARGO) mutants --version 2>/dev/null | grep -qx "cargo-mutants $(MUTANTS)" \
	|| $(CARGO) install cargo-mutants --locked --version $(MUTANTS)
	CARGO="$(CARGO)" scripts/mutants ROOM=$(ROOM) N=$(N) SEED=$(SEED)

arb:
	CARGO="$(CARGO)" scripts/arb N=$(N)

# m4 is what the build of GMP needs and machines lack. Without it one arithmetic speaks.
m4:
	@if command -v m4 >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "installing m4 (for the second arithmetic, MPFR)"; \
		(apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq m4) >/dev/null 2>&1 \
		|| echo "m4 could not be installed: going on with one arithmetic"; \
	else \
		echo "m4 is missing, and is not ours to install: going on with one arithmetic"; \
	fi

coq:
	@if command -v coqc >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "installing coq (for the proofs)"; \
		(apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends coq) >/dev/null 2>&1 \
		|| echo "coq could not be installed"; \
	else \
		echo "coq is missing, and is not ours to install"; \
	fi
