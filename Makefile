# Everything this repository does, one word each. `make` alone lists it.

GO      ?= go
# Which server the tests run on: mysql or mariadb.
DB      ?= mysql
# What `make test` and `make lint` look at: `make test PKG=./lease/...`
PKG     ?= ./...
# More for `make test ARGS='-run TestDuplicate -v'`, or for the demo: ARGS='--listen 127.0.0.1:8081'
ARGS    ?=
# Whom the demo's buyers pay through: stripe,adyen,stablein, or all.
PROVIDER ?= stablein
# `make demo RESET=1` throws the demo's data away first.
RESET   ?=

export DB

# Tools by exact version; they are no dependencies of the shop.
SQLC        = v1.31.1
TEMPL       = v0.3.1118
STATICCHECK = v0.8.2
GOVULNCHECK = v1.9.0
BIN         = .data/bin

.PHONY: help demo test lint generate verify bench clean

help: ## this list
	@awk -F':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@awk '/^# / { note = substr($$0, 3) } /^[A-Z]+ +\?=/ && $$1 != "GO" { printf "  %-18s %s\n", $$1 "=" $$3, note }' $(MAKEFILE_LIST)

demo: ## the shop, its practice platform and a database, on this machine; Ctrl-C ends all
	@mkdir -p $(BIN)
	@$(GO) build -o $(BIN)/shop ./cmd/shop
	@exec $(BIN)/shop demo --provider '$(PROVIDER)' $(if $(RESET),--reset) $(ARGS)

test: ## everything the tests need, then all of them: real database, race detector, browser
	@scripts/mysql.sh >/dev/null
	@scripts/testtools.sh
	$(GO) run ./testdb/cmd/testserver -- $(GO) test -race -shuffle=on -timeout 15m $(ARGS) $(PKG)

lint: ## formatting, vet, staticcheck, known vulnerabilities
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
		[ -z "$$unformatted" ] || { echo "not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	$(GO) vet $(PKG)
	$(GO) run honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK) $(PKG)
	@scripts/vulnerabilities.sh $(GOVULNCHECK) $(PKG)

generate: $(BIN)/sqlc-$(SQLC) $(BIN)/templ-$(TEMPL) ## Go from SQL (store/queries) and from pages (*.templ)
	$(BIN)/sqlc-$(SQLC) generate
	$(BIN)/templ-$(TEMPL) generate -log-level warn

GENERATED = store/db '*_templ.go'

verify: generate ## generated code and go.mod are what their sources say
	@changed=$$(git status --porcelain -- $(GENERATED)); \
		[ -z "$$changed" ] || { echo "generated code differs from what is committed; run make generate and commit:"; \
			echo "$$changed"; git --no-pager diff --stat -- $(GENERATED); exit 1; }
	$(GO) mod verify
	@$(GO) mod tidy -diff || { echo "go.mod and go.sum are not what the imports say; run go mod tidy and commit"; exit 1; }

bench: ## acknowledged events per second and time to a license, on a durable server
	@scripts/mysql.sh >/dev/null
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 30m $(ARGS) ./bench

clean: ## remove what make and the demo put into .data
	rm -rf .data

$(BIN)/sqlc-$(SQLC):
	$(call install,github.com/sqlc-dev/sqlc/cmd/sqlc,$(SQLC))

$(BIN)/templ-$(TEMPL):
	$(call install,github.com/a-h/templ/cmd/templ,$(TEMPL))

# install MODULE,VERSION: under a name with the version, so that another version is another file.
define install
	@mkdir -p $(BIN)
	CGO_ENABLED=0 GOBIN=$(CURDIR)/$(BIN)/new $(GO) install $(1)@$(2)
	@mv $(BIN)/new/$(notdir $(1)) $@ && rmdir $(BIN)/new
endef
