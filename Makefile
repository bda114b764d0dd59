# All targets set up what they need in .venv; a fresh machine needs Python 3.11 with pip and venv, gcc and make.
PYTHON ?= python3
BIN := .venv/bin
SECONDS ?= 60
SCENARIO ?= match
COMPILED := $(wildcard engine_core/*.pyx engine_core/*.pxd service/*.pyx service/*.pxd)
PROTOS := $(wildcard proto/shinpan/v1/*.proto)
DEBIAN_PACKAGES := aardvark-dns buildah catatonit ccache chromium cmake fonts-dejavu-core haproxy iproute2 iptables \
    libfaketime libgrpc++-dev libgtest-dev libprotobuf-dev libssl-dev mmdebstrap netavark nghttp2-client nginx \
    ninja-build pkg-config podman prometheus protobuf-compiler protobuf-compiler-grpc runc uidmap zlib1g-dev
TABLE := clients/examples/table
HELM_VERSION := v3.22.0
STUBTESTED := $(subst /,.,$(basename $(wildcard engine_core/*.pyx service/*.pyx)))

.PHONY: demo serve setup test test-slow test-deploy test-faults test-containers check check-go check-typescript table \
    table-screenshots fuzz h2spec bench report load load-ui capacity soak proto schema gallery dashboards \
    console-screenshot build debian-packages

demo: .venv/built
	$(BIN)/python -m demo

serve: .venv/built .venv/dev
	$(BIN)/python -m service

# The example backend and its page, with a server, on free loopback ports until Ctrl-C; needs Node 20 with npm.
table: .venv/built $(TABLE)/dist/main.js
	$(BIN)/python -m demo.table

# The pictures of docs/table.md anew, with the Debian packages below.
table-screenshots: .venv/built $(TABLE)/dist/main.js
	cd $(TABLE) && TABLE_BOT_PAUSE_MS=0 PYTHONPATH=$(CURDIR) $(CURDIR)/$(BIN)/python -m demo.table \
	    node pictures/take.mjs $(CURDIR)/docs/table

test: .venv/built .venv/dev .venv/fast .venv/load .venv/tracing
	$(BIN)/python -m pytest -n 2 --dist worksteal

# All slow tests take half an hour; TESTS names some of them.
test-slow: .venv/built .venv/dev .venv/fast .venv/load .venv/tracing
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow $(TESTS)

# The image as pods, as root, with the Debian packages below.
test-containers: .venv/built .venv/dev .tools/deploy/built
	tests/deploy/build_image
	tests/deploy/run_containers $(BIN)/python -m pytest -n 0 -m containers -rs tests/deploy

# What goes wrong around a server; some of it as root, with the Debian packages below.
test-faults: .venv/built .venv/dev .venv/fast .venv/tracing
	$(BIN)/python -m pytest -n 0 -m faults -rs tests/faults

# Manifests and alerts: with the tools of .tools and the Debian packages below.
test-deploy: .venv/built .venv/dev .venv/fast .tools/deploy/built .tools/bin/helm
	$(BIN)/python -m pytest -n 2 --dist worksteal -m deploy -rs tests/deploy

# The clients in other languages, each with the tools that are here.
.PHONY: test-clients
test-clients: .venv/built .venv/dev proto-deps node-packages
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m clients -rs tests/clients

check: .venv/built .venv/dev .venv/fast .venv/load .venv/tracing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	PATH="$(BIN):$$PATH" $(BIN)/cython-lint $(COMPILED)
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest $(STUBTESTED) --mypy-config-file pyproject.toml \
	    --allowlist engine_core/stubtest-allowlist.txt
	$(BIN)/lint-imports
	$(BIN)/python -m proto.generate --check
	$(BIN)/python -m conformance --check
	$(BIN)/python docs/gallery.py --check
	$(BIN)/python deploy/monitoring/generate.py --check
	$(BIN)/python -m engine_core schema | diff - docs/ruleset.schema.json
	$(MAKE) --no-print-directory proto-deps
	$(BIN)/buf format --diff --exit-code proto
	$(BIN)/buf lint
	$(BIN)/buf breaking proto --against proto/released.binpb
	@if command -v go >/dev/null; then $(MAKE) --no-print-directory check-go; \
	    else echo "Go: not checked, for go is not installed"; fi
	@if command -v rustfmt >/dev/null; then $(MAKE) --no-print-directory check-rust; \
	    else echo "Rust: not checked, for rustfmt is not installed"; fi
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory check-typescript; \
	    else echo "TypeScript: not checked, for npm is not installed"; fi

# Formatting of the Go client, and what go vet finds.
check-go:
	cd clients/go && gofmt -d . && test -z "$$(gofmt -l .)" && go vet ./...

# Formatting of the Rust client; make test-clients has clippy look at it.
.PHONY: check-rust
check-rust:
	cd clients/rust && cargo fmt --check

# Formatting, lint and types of the TypeScript client and of the example backend.
check-typescript: $(TABLE)/node_modules/.package-lock.json
	cd clients/typescript && npm run --silent check
	cd $(TABLE) && npm run --silent check

fuzz: .venv/built .venv/fuzz
	$(BIN)/python -m fuzz --seconds $(SECONDS)

# Conformance of the transports to HTTP/2, with a program that Go builds.
h2spec: .venv/built .venv/fast .tools/bin/h2spec
	$(BIN)/python -m tests.h2spec .tools/bin/h2spec

bench: .venv/built .venv/bench .venv/fast
	$(BIN)/python -m load.bench

# A quarter of an hour, on a machine that does nothing else.
report: .venv/built .venv/bench .venv/fast
	$(BIN)/python -m load.bench all --json load/results/latest.json
	$(BIN)/python -m load.report load/results/latest.json

# A scenario of load/scenarios for some seconds against a fresh server; it fails when load/thresholds.toml is not kept.
load: .venv/built .venv/load .venv/fast
	$(BIN)/python -m load.run $(SCENARIO)

load-ui: .venv/built .venv/load .venv/fast
	$(BIN)/python -m load.run $(SCENARIO) --ui

# Capacity and soak are reported by `make report`; a quarter of an hour and half an hour, on a machine that does nothing
# else.
capacity: .venv/built .venv/load .venv/fast
	$(BIN)/python -m load.capacity

soak: .venv/built .venv/load .venv/fast
	$(BIN)/python -m load.soak

proto: .venv/dev
	$(BIN)/python -m proto.generate

# Protocol buffer files of others, for buf and the C++ client.
.PHONY: proto-deps
proto-deps: .venv/dev
	$(BIN)/python -m proto.generate --stage

# Vectors for all clients, clients/conformance; minutes.
.PHONY: conformance
conformance: .venv/built
	$(BIN)/python -m conformance

schema: .venv/built
	$(BIN)/python -m engine_core schema > docs/ruleset.schema.json

gallery: .venv/built
	$(BIN)/python docs/gallery.py

dashboards: .venv/dev
	$(BIN)/python deploy/monitoring/generate.py

# docs/console.png anew, with the Debian packages below.
console-screenshot: .venv/built .venv/dev
	PYTHONPATH=tests:tests/service $(BIN)/python -m deploy.screenshot

# As root, on Debian: what is not in any registry of packages for Python or Go.
debian-packages:
	apt-get update --quiet
	apt-get install --yes --quiet --no-install-recommends -o DPkg::Lock::Timeout=300 $(DEBIAN_PACKAGES)

build: .venv/built

# Everything that tests need of Python.
setup: .venv/built .venv/dev .venv/fast .venv/load .venv/tracing

.venv/run: requirements/run.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	touch $@

.venv/built: .venv/run pyproject.toml clients/python/pyproject.toml $(COMPILED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e clients/python -e .
	touch $@

.venv/dev: .venv/run requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

.venv/bench: .venv/run requirements/bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	touch $@

.venv/fast: .venv/run requirements/fast.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/fast.txt
	touch $@

.venv/load: .venv/run requirements/load.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/load.txt
	touch $@

.venv/tracing: .venv/run requirements/tracing.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/tracing.txt
	touch $@

.venv/fuzz: .venv/run requirements/fuzz.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/fuzz.txt
	touch $@

# What the TypeScript client and the example backend need, and both built, where npm is.
.PHONY: node-packages
node-packages:
	@! command -v npm >/dev/null || $(MAKE) --no-print-directory $(TABLE)/dist/main.js

clients/typescript/node_modules/.package-lock.json: clients/typescript/package.json clients/typescript/package-lock.json
	cd clients/typescript && npm ci --silent
	touch $@

# The client is packed into the example as npm would pack it, so it has to be built before.
$(TABLE)/node_modules/.package-lock.json: $(TABLE)/package.json $(TABLE)/package-lock.json clients/typescript/dist/index.js
	cd $(TABLE) && npm ci --silent
	touch $@

clients/typescript/dist/index.js: clients/typescript/node_modules/.package-lock.json $(wildcard clients/typescript/src/*.ts)
	cd clients/typescript && npm run --silent build
	touch $@

$(TABLE)/dist/main.js: $(TABLE)/node_modules/.package-lock.json $(wildcard $(TABLE)/src/*.ts $(TABLE)/page/*.ts)
	cd $(TABLE) && npm run --silent build
	touch $@

.tools/bin/h2spec: tests/h2spec/go.mod tests/h2spec/go.sum
	cd tests/h2spec && go build -o ../../$@ github.com/summerwind/h2spec/cmd/h2spec

.tools/deploy/built: requirements/deploy.txt
	$(PYTHON) -m venv .tools/deploy
	.tools/deploy/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/deploy.txt
	touch $@

.tools/bin/helm:
	GOBIN=$(CURDIR)/.tools/bin go install helm.sh/helm/v3/cmd/helm@$(HELM_VERSION)
