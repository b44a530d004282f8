# Variscope: `make run` and `make test` need Go, git and make; they bring everything else. `make help` lists the rest.
SHELL := /bin/sh
.DEFAULT_GOAL := help
GO    ?= go
BUILD := build
BIN   := $(BUILD)/variscope
TOOL   = $(GO) tool -modfile=tools/go.mod
LINT   = $(GO) tool -modfile=tools/lint/go.mod

export LANG ?= en_US.UTF-8
export GOFLAGS += -buildvcs=false
# Here the library has been brought, so a test that misses it fails; a plain go test says so and goes on.
export VARISCOPE_TEST_LIBRARY = required

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## install what a build and the window need (system packages, ONNX Runtime); nothing where it is there
	@scripts/setup.sh build

.PHONY: setup-test
setup-test:
	@scripts/setup.sh test

.PHONY: setup-package
setup-package:
	@scripts/setup.sh package

.PHONY: library
library: ## bring the pinned ONNX Runtime library into the per-user cache
	@scripts/setup.sh library

# What the linker writes into the program about its commit.
STAMP = $$(scripts/stamp.sh)

.PHONY: build
build: setup ## build the program into build/
	$(GO) build -ldflags "$(STAMP)" -o $(BIN) .

PREFIX ?= $(HOME)/.local

.PHONY: install
install: build ## put the program into PREFIX/bin (~/.local/bin)
	mkdir -p $(PREFIX)/bin && install -m 755 $(BIN) $(PREFIX)/bin/variscope
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "$(PREFIX)/bin is not in PATH: add it there, or call $(PREFIX)/bin/variscope" ;; esac

.PHONY: run
run: build ## open the window on the demo; without a display run the demo job into a folder
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then exec $(BIN) --demo; \
	else echo "no display: running the demo job headless"; exec $(BIN) demo --out $(BUILD)/demo; fi

# make test is what every change passes, in a quarter of an hour on two cores; make check is what takes longer.
.PHONY: test
test: setup-test ## set up, then formatting, vet, staticcheck, unit and golden tests, and the window's main paths
	@MAKE="$(MAKE)" scripts/steps.sh first format-check vet staticcheck unit golden window

.PHONY: check
check: setup-test ## what is too long for make test: README, races, all window tests, fuzzing, kills, a large model, soak, WebGPU, coverage, packages, workers, Slurm
	@MAKE="$(MAKE)" scripts/steps.sh all readme race e2e fuzz-short kill-short large soak-short webgpu coverage package-smoke e2e-workers e2e-slurm

# The Go files of the checkout, whoever it belongs to.
FILES = $$(git -c safe.directory='*' ls-files -co --exclude-standard '*.go')

.PHONY: format-check
format-check:
	@out="$$($(TOOL) gofumpt -l $(FILES))"; \
	if [ -n "$$out" ]; then echo "not formatted (run make format):"; echo "$$out"; exit 1; fi

.PHONY: format
format: ## format the Go files
	$(TOOL) gofumpt -w $(FILES)

.PHONY: licences
licences: ## write docs/licences.md anew after go.mod changed
	mkdir -p $(BUILD) && $(GO) run ./internal/licences > $(BUILD)/licences.md && mv $(BUILD)/licences.md docs/licences.md

.PHONY: vet
vet: setup
	$(GO) vet ./...

# Packages without the runtime library, which is cgo.
PURE = $(GO) list ./engine/... ./store/... | grep -v '/engine/onnx$$\|/store/demo$$'; $(GO) list

.PHONY: vet-systems
vet-systems: ## vet what has no cgo for Windows and macOS, where Fyne has some
	GOOS=windows CGO_ENABLED=0 $(GO) vet $$($(PURE) ./ui/...)
	GOOS=darwin CGO_ENABLED=0 $(GO) vet $$($(PURE) ./ui/present)

.PHONY: staticcheck
staticcheck: setup
	$(TOOL) staticcheck ./...

# Property tests draw their inputs from this seed, so that a run can be repeated; make unit SEED=0 draws anew.
SEED   ?= 1
DRAWS   = {{if eq . "pgregory.net/rapid"}}{{$$p}} {{end}}
IMPORTS = {{$$p := .ImportPath}}{{range .TestImports}}$(DRAWS){{end}}{{range .XTestImports}}$(DRAWS){{end}}
ALL     = $(shell $(GO) list ./...)
DRAWING = $(sort $(shell $(GO) list -f '$(IMPORTS)' ./...))
# Those that take longest begin first, so that no processor waits for them at the end.
LONG    = %/variscope/ui %/app/command %/ui/screen/assessors %/variscope/store %/engine/onnx
sooner  = $(filter $(LONG),$(1)) $(filter-out $(LONG),$(1))
# make vet looks at all that go test would vet package by package. Tests wait for disks and windows now and then: one package more than
# there are processors keeps these busy.
TEST    = $(GO) test -vet=off
WIDE    = -p $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1))) -timeout 30m
# Tests against known results print what they found: make golden runs them, and nothing else does. It builds no other packages than those
# that have some.
RESULTS = Golden|TestZoo
KNOWN   = $(shell grep -rlE --include='*_test.go' '^func [A-Za-z0-9_]*($(RESULTS))' app engine store ui internal | sed 's|^|./|; s|/[^/]*$$||' | sort -u)

.PHONY: unit
unit: setup ## unit tests
	$(TEST) $(WIDE) -skip '$(RESULTS)' $(call sooner,$(filter-out $(DRAWING),$(ALL)))
	$(TEST) $(WIDE) -skip '$(RESULTS)' $(call sooner,$(DRAWING)) -rapid.seed=$(SEED)

# The parsers that take what people and other machines bring; fuzz-short gives each 30 s, two at a time, and fuzz.sh ends what has not stopped after 5 min.
FUZZTIME  ?= 600
FUZZJOBS  ?= $(shell nproc 2>/dev/null || echo 2)
FUZZSHORT = engine/onnx.FuzzInspect engine/onnx.FuzzExternalData engine/suite.FuzzIDX engine/suite.FuzzCIFAR engine/suite.FuzzCSV engine/suite.FuzzPickle engine/suite.FuzzArray engine/transform.FuzzParseAny \
	engine/wire.FuzzParseOrder engine/wire.FuzzOpenPack engine/wire.FuzzDecodeResult \
	store/npz.FuzzFile store.FuzzWorkspace store/journal.FuzzRead store/desk.FuzzReadLabels store/export.FuzzLabelsLong store/export.FuzzLabelsWide \
	store/intake.FuzzModelsCSV store/traininglog.FuzzEvents store/traininglog.FuzzTables store/predictions.FuzzReadArray store/shards.FuzzReadPlan store/cluster.FuzzParseJoin

.PHONY: fuzz
fuzz: setup ## fuzz every target for FUZZTIME seconds (600), FUZZJOBS at a time; one line per target at the end
	scripts/fuzz.sh $(FUZZTIME) $(FUZZJOBS)

.PHONY: fuzz-short
fuzz-short: setup ## fuzz the parsers of what people and other machines bring, 30 seconds each
	scripts/fuzz.sh 30 2 $(FUZZSHORT)

# SEED=... repeats the moments of an earlier run, as far as the computer's pace goes; without it make kill draws them anew and prints
# the seed, and kill-short, a part of make check, takes the same moments each time.
KILLS = 1000
AGAIN = $(if $(filter command%,$(origin SEED)),VARISCOPE_KILL_SEED=$(SEED) )
KILL  = $(TEST) -count=1 -v -run TestKills

.PHONY: kill
kill: setup ## kill the program KILLS times (1000) at random moments and look for losses
	VARISCOPE_KILLS=$(KILLS) $(AGAIN)$(KILL) -timeout 10h ./internal/kill

.PHONY: kill-short
kill-short: setup
	VARISCOPE_KILLS=20 VARISCOPE_KILL_SEED=$(SEED) $(KILL)$$ -timeout 30m ./internal/kill
	VARISCOPE_KILLS=200 VARISCOPE_KILL_SEED=$(SEED) $(KILL)OfProcesses -timeout 60m ./internal/kill

.PHONY: large
large: setup ## run a model of 1 GB and measure the memory of the program and its workers
	VARISCOPE_LARGE=1 $(TEST) -count=1 -v -run TestLargeModel ./app/command

.PHONY: webgpu
webgpu: setup ## models on WebGPU, by SwiftShader where nothing else is named
	scripts/setup.sh webgpu
	VK_DRIVER_FILES=$${VK_DRIVER_FILES:-/usr/lib/chromium/vk_swiftshader_icd.json} VARISCOPE_WEBGPU=1 $(TEST) -count=1 -v -run 'TestWebGPU|TestCommandLine' ./engine/onnx ./app/command

.PHONY: golden
golden: setup ## golden and zoo tests with what they print
	@mkdir -p $(BUILD)
	@$(TEST) $(WIDE) -count=1 -v -run '$(RESULTS)' $(KNOWN) >$(BUILD)/golden.log 2>&1 || { cat $(BUILD)/golden.log; exit 1; }
	@grep -E '^(golden|zoo|ok|---) ' $(BUILD)/golden.log | grep -v 'no tests to run'

.PHONY: race
race: setup ## unit tests under the race detector
	$(TEST) $(WIDE) -timeout 90m -race -short -skip '$(RESULTS)' $(call sooner,$(filter-out $(DRAWING),$(ALL)))
	$(TEST) $(WIDE) -timeout 90m -race -short -skip '$(RESULTS)' $(call sooner,$(DRAWING)) -rapid.seed=$(SEED)

.PHONY: window
window: setup-test build probe ## the main paths through the real window under Xvfb
	VARISCOPE_E2E=1 $(TEST) -count=1 -v -timeout 60m -run '^($(MAIN))$$' ./internal/e2e

# From an empty workspace to agreement with the mouse; the keys of the Label screen; matrices and what is behind them.
MAIN = TestMainPath|TestKeysAfterClicksAndDialogs|TestDrillDown

.PHONY: e2e
e2e: setup-test build probe ## all tests of the real window under Xvfb
	VARISCOPE_E2E=1 $(TEST) -count=1 -v -timeout 60m ./internal/e2e

.PHONY: readme
readme: build ## run the commands of README.md as they stand there, on the demo's models
	VARISCOPE_README=1 $(TEST) -count=1 -timeout 30m ./internal/readme

.PHONY: e2e-slurm
e2e-slurm: build ## a plan as an array job of a real Slurm on this machine; needs root, brings Slurm where it is missing
	scripts/e2e-slurm.sh $(BIN)

.PHONY: e2e-workers
e2e-workers: build ## a run on three workers behind cables that are pulled, processes that are killed; needs root, takes up to 5 minutes
	scripts/e2e-workers.sh $(BIN)

# The window is used in the same way again and again for SOAK; what the program takes may not grow beyond its limits.
SOAK ?= 30m

.PHONY: soak
soak: setup-test build probe ## use the real window for SOAK (30m) and measure whether it grows
	VARISCOPE_E2E=1 VARISCOPE_SOAK=$(SOAK) $(TEST) -count=1 -v -timeout 24h -run TestSoak ./internal/e2e

.PHONY: soak-short
soak-short: setup-test build probe
	VARISCOPE_E2E=1 VARISCOPE_SOAK=1m $(TEST) -count=1 -v -timeout 60m -run TestSoak ./internal/e2e

.PHONY: probe
probe: setup
	$(GO) build -o $(BIN)-probe ./internal/e2e/probe

.PHONY: pictures
pictures: setup-test build probe ## draw the pictures of docs/ anew in the real window
	VARISCOPE_E2E=1 VARISCOPE_PICTURES=1 $(TEST) -count=1 -v -timeout 60m -run TestPictures ./internal/e2e

.PHONY: test-root
test-root: setup-test ## tests that need root: a full disk on a small tmpfs
	VARISCOPE_ROOT_TESTS=1 $(TEST) -count=1 -v -run Root ./store/...

.PHONY: coverage
coverage: setup ## simulate how often intervals hold the true value (docs/results.md)
	VARISCOPE_COVERAGE=$(or $(filter-out 0,$(SEED)),1) $(GO) test -count=1 -timeout 30m -v -run '^TestCoverage' \
	./engine/agreement ./engine/dscore ./engine/invariance ./engine/calibration ./engine/feature

.PHONY: bench
bench: setup ## benchmarks, at the end as tables
	@mkdir -p $(BUILD)
	$(GO) test -run '^$$' -bench . -benchmem ./... 2>&1 | tee $(BUILD)/bench.txt
	@$(TOOL) benchstat $(BUILD)/bench.txt
	@! grep -E '^(--- )?FAIL|^panic: ' $(BUILD)/bench.txt

.PHONY: lint
lint: format-check vet staticcheck ## formatting, vet, staticcheck and golangci-lint
	$(LINT) golangci-lint run ./...

.PHONY: docs
docs: setup ## write docs/commands.md and the manual page anew after the command line changed
	VARISCOPE_WRITE_COMMANDS=1 $(GO) test -count=1 -run TestTheReference ./app/command

.PHONY: icons
icons:
	$(GO) run ./internal/icons $(BUILD)/icons

LIBRARY = $$(scripts/setup.sh where)

.PHONY: package
package: setup-package icons ## a tarball and a .deb for this system in dist/, the library inside
	$(GO) build -trimpath -ldflags "-s -w $(STAMP)" -o $(BUILD)/package/variscope .
	scripts/package.sh $(BUILD)/package/variscope "$(LIBRARY)" $(BUILD)/icons dist

# Packs the program of make build, so that nothing is compiled anew; make package-smoke PACKAGES=dist tries those of make package.
PACKAGES = $(BUILD)/smoke

.PHONY: package-smoke
package-smoke: setup-test build icons ## pack the program and start what was packed from a clean prefix, under Xvfb
	@[ "$(PACKAGES)" != $(BUILD)/smoke ] || { rm -rf $(BUILD)/smoke && \
	PACKAGE_LEVEL=1 scripts/package.sh $(BIN) "$(LIBRARY)" $(BUILD)/icons $(BUILD)/smoke; }
	VARISCOPE_PACKAGES=$(abspath $(PACKAGES)) $(TEST) -count=1 -v -timeout 60m -run TestPackage ./internal/e2e

.PHONY: package-windows
package-windows: setup-windows ## a .zip for Windows (amd64) in dist/, cross-compiled with mingw-w64
	GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc \
	$(GO) build -trimpath -ldflags "-s -w $(STAMP)" -o $(BUILD)/package/variscope.exe .
	scripts/package-windows.sh $(BUILD)/package/variscope.exe "$$(scripts/setup.sh where windows)" dist

.PHONY: setup-windows
setup-windows:
	@scripts/setup.sh windows

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD) dist
