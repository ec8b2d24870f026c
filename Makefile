# Turnwatch: `make run` starts it, `make test` checks everything. `make` alone lists the rest.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# Tools that are not part of a Go installation, at fixed versions, in the checkout.
TOOLS         := $(CURDIR)/.cache/bin
GOLANGCI_LINT := $(TOOLS)/golangci-lint-v2.15.0
GOVULNCHECK   := $(TOOLS)/govulncheck-v1.9.0

VERSION  = $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X main.version=$(VERSION)
GO_FILES = $$(find . -name '*.go' -not -path '*/node_modules/*' -not -path './.cache/*')
step     = @printf '\n== %s\n' "$(1)"

.PHONY: help run build ui test test-go test-ui test-browser test-prometheus fmt fmt-check vet lint vuln bench test-agents clean need-go need-npm

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: need-go ## Build what changed, start Turnwatch and open its page (options: make run ARGS=--demo)
	@if command -v npm >/dev/null && ! .ci/ui-sum -c; then $(MAKE) ui; fi
	@$(MAKE) build
	@exec bin/turnwatch serve $(ARGS)

build: need-go ## Build bin/turnwatch with the page as it stands in ui/dist
	@CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/turnwatch ./cmd/turnwatch

ui: ui/node_modules/.lock ## Build ui/dist from ui/src; commit the result
	$(call step,build the page)
	@cd ui && npm run --silent build
	@.ci/ui-sum -w

test: fmt-check vet lint vuln test-go test-prometheus test-ui test-browser ## Check everything: format, vet, lint, Go, Prometheus, UI and browser tests
	$(call step,all checks passed)

test-go: need-go ## Go tests, with the race detector where there is a C compiler
	$(call step,go test)
	@race=-race; [ "$$(go env CGO_ENABLED)" = 1 ] && command -v "$$(go env CC)" >/dev/null || { race=; echo 'no C compiler: tests run without the race detector'; }; \
	  go test $$race -timeout 40m ./... ./testdata/corpus

test-prometheus: need-go ## Have a real Prometheus scrape a running Turnwatch
	$(call step,Prometheus)
	@.ci/prometheus

test-ui: ui/node_modules/.lock ## UI: types, lint, unit tests, and whether ui/dist is what ui/src makes
	$(call step,UI types)
	@cd ui && npm run --silent typecheck
	$(call step,UI lint)
	@cd ui && npm run --silent lint
	$(call step,UI unit tests)
	@cd ui && npm test --silent
	$(call step,ui/dist is what ui/src makes)
	@rm -rf .cache/dist && mkdir -p .cache && cp -R ui/dist .cache/dist && $(MAKE) ui && .ci/same-dist .cache/dist ui/dist

test-browser: ui/node_modules/.lock build ## UI in a browser
	$(call step,browser tests)
	@CHROMIUM="$$(.ci/chromium)" && export CHROMIUM && cd ui && npm run --silent e2e

test-agents: build ## Run the real agents against a scripted model and watch them (needs Linux namespaces and npm)
	@.ci/agents/run

bench: build ## Measure: Go benchmarks, then the daemon against its goals on a synthetic corpus (options: .ci/bench -h)
	@.ci/bench $(ARGS)

fmt: need-go ## Format the Go code
	@gofmt -w $(GO_FILES)

fmt-check: need-go
	$(call step,gofmt)
	@out=$$(gofmt -l $(GO_FILES)); [ -z "$$out" ] || { echo "not formatted (make fmt): $$out"; exit 1; }

vet: need-go
	$(call step,go vet)
	@go vet ./... ./testdata/corpus

lint: $(GOLANGCI_LINT) ## Lint the Go code
	$(call step,golangci-lint with staticcheck)
	@$(GOLANGCI_LINT) run ./... ./testdata/corpus

vuln: $(GOVULNCHECK)
	$(call step,govulncheck)
	@.ci/vuln $(GOVULNCHECK)

clean: ## Remove what this Makefile built or downloaded
	@rm -rf bin .cache ui/node_modules

$(GOLANGCI_LINT): | need-go
	$(call install,github.com/golangci/golangci-lint/v2/cmd/golangci-lint)

$(GOVULNCHECK): | need-go
	$(call install,golang.org/x/vuln/cmd/govulncheck)

# install builds a command at the version in its target's name.
define install
	$(call step,install $(notdir $@))
	@mkdir -p $(TOOLS) && GOFLAGS= GOBIN=$(TOOLS)/tmp go install $(1)@$(lastword $(subst -, ,$@)) && mv $(TOOLS)/tmp/$(notdir $(1)) $@
endef

ui/node_modules/.lock: ui/package-lock.json | need-npm
	$(call step,npm ci)
	@cd ui && npm ci --ignore-scripts --no-audit --no-fund && touch node_modules/.lock

need-go:
	@command -v go >/dev/null || { echo 'Go is missing: install Go 1.26 or newer (https://go.dev/dl), then run make again'; exit 1; }

need-npm:
	@command -v npm >/dev/null || { echo 'npm is missing: install Node.js 20.19 or newer (https://nodejs.org), then run make again'; exit 1; }
