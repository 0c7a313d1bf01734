# Everything here works on a fresh machine that has Python 3.11 and make; `setup` brings the rest.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2
COVERED ?= tests/unit tests/contract tests/mcp

# Runs a command and shows its output only if it failed.
quietly = @said=$$($(1) 2>&1) || { printf '%s\n' "$$said"; exit 1; }

.PHONY: help setup demo test check lint types layers sizes wording links docs javascript generated changelog-check changelog \
	coverage release-check wheels hooks demo-images bench bench-peers stress relay-walk conformance clients compat widgets qt gen extension-zip clean

help:
	@echo "make demo           run boathook on a small local site"
	@echo "make test           check, then all tests"
	@echo "make check          lint, types, layers, sizes, wording, JavaScript, generated files; silent if there are no problems"
	@echo "                    its parts: lint types layers sizes wording links javascript generated changelog-check"
	@echo "make coverage       run the tests that need no page, and print which lines they reach (report in .cache/coverage)"
	@echo "make hooks          check each commit before it is made (pre-commit)"
	@echo "make changelog      write the fragments of changes.d into CHANGELOG.md"
	@echo "make release-check  build the packages, install each into an empty environment, try the first steps"
	@echo "make wheels         build the wheels of four platforms with their native clients, and the pure one, into dist"
	@echo "make extension-zip  pack the browser extension for a web store, into dist"
	@echo "make bench          measure, also the peers that are installed;  make bench-peers: install them"
	@echo "make stress         kill owners many times, act on hostile pages; look for survivors and wrong reports"
	@echo "make relay-walk     every method of Playwright and Puppeteer, on a bare Chromium and through the relay (requires npm)"
	@echo "make conformance    run the public MCP test suite and the inspector (requires npm)"
	@echo "make clients        check what the models of real agent programs and libraries receive, that setup connects them, and how long that takes (requires npm)"
	@echo "make compat         compare with agent-browser on all recorded command lines, directly if it is installed (make bench-peers)"
	@echo "make widgets        act on the widgets of public libraries, checked in their own models (requires npm)"
	@echo "make qt             install Qt WebEngine into .cache/qt, for the test that drives a desktop app"
	@echo "make demo-images    record the demo of the docs again, and their images (requires ffmpeg)"
	@echo "make docs           build the documentation as a site with search, into .cache/site"
	@echo "make gen            update generated files"
	@echo "make clean          remove the environment and all caches"

setup:
	@$(PYTHON) tools/setup_machine.py

demo: setup
	@$(BIN)/python examples/ticket_desk/demo.py

test: check
	@$(BIN)/python tools/run_tests.py -n $(WORKERS) --dist worksteal

check: lint types layers sizes wording links javascript generated changelog-check

lint: setup
	$(call quietly,$(BIN)/ruff check -q .)
	$(call quietly,$(BIN)/ruff format -q --check .)

types: setup
	$(call quietly,$(BIN)/mypy --no-error-summary)

layers: setup
	$(call quietly,$(BIN)/lint-imports)

sizes: setup
	$(call quietly,$(BIN)/python tools/check_sizes.py)

wording: setup
	$(call quietly,$(BIN)/python tools/check_wording.py)

javascript: setup
	$(call quietly,$(BIN)/python tools/check_javascript.py)

generated: setup
	$(call quietly,$(BIN)/python -m tools.python_api --check)
	$(call quietly,$(BIN)/python tools/generate_docs.py --check)
	$(call quietly,$(BIN)/python tools/generate_manifests.py --check)
	$(call quietly,$(BIN)/python tools/generate_pages.py --check)
	$(call quietly,$(BIN)/python tools/generate_protocol.py --check)
	$(call quietly,$(BIN)/python tools/generate_native.py --check)

links: setup
	$(call quietly,$(BIN)/python tools/check_links.py)

docs: setup
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --clean
	@cp docs/llms.txt docs/*.md .cache/site/  # the pages for models, and what they link to
	@echo "the site is in .cache/site/index.html"

changelog-check: setup
	$(call quietly,$(BIN)/python tools/build_changelog.py --check)

changelog: setup
	@$(BIN)/python tools/build_changelog.py

# The table is printed also when a test failed.
coverage: setup
	@rm -rf .cache/coverage && mkdir -p .cache/coverage
	@status=0; $(BIN)/coverage run -m pytest -q -n $(WORKERS) --dist worksteal $(COVERED) || status=$$?; \
	$(BIN)/coverage combine -q && $(BIN)/coverage report && $(BIN)/coverage html -q; exit $$status

wheels: setup
	@$(BIN)/python tools/build_wheels.py

release-check: setup
	@$(BIN)/python tools/check_release.py

extension-zip: setup
	@$(BIN)/python -m tools.pack_extension

demo-images: setup
	@$(BIN)/python -m tools.make_demo

hooks: setup
	@$(BIN)/pre-commit install

bench: setup
	@$(BIN)/python benchmarks/run.py

bench-peers: setup
	@$(BIN)/python benchmarks/peers.py

stress: setup
	@$(BIN)/python tools/stress_kill.py
	@$(BIN)/python tools/stress_daemon.py
	@$(BIN)/python -m tools.stress.kill_rounds
	@$(BIN)/python -m tools.stress.descriptors
	@$(BIN)/python -m tools.stress.soak
	@$(BIN)/python tools/stress_chaos.py
	@$(BIN)/python -m tools.stress_changes
	@$(BIN)/python -m tools.stress_walks
	@$(BIN)/python tools/stress_scripts.py
	@$(BIN)/python tools/stress_state.py
	@$(BIN)/python -m tests.extension.stress_relay
	@$(BIN)/python -m tests.extension.walk
	@$(BIN)/python -m tests.extension.user_actions
	@BOATHOOK_THOROUGH=1 $(BIN)/pytest -q tests/browser/actions/test_downloads.py tests/browser/snapshot/test_hidden_text.py tests/browser/snapshot/test_graphics.py tests/browser/environment/test_emulation.py tests/browser/actions/test_gallery.py tests/browser/widgets/test_libraries.py tests/policy/test_schemes.py tests/surfaces/secrets/test_secret_walk.py tests/surfaces/secrets/test_secrets.py tests/surfaces/test_deadlines.py tests/surfaces/test_stuck_browser.py tests/browser/launch/test_kill.py tests/browser/actions/test_change_reports.py tests/contract/test_wheel.py tests/contract/test_readme.py tests/surfaces/test_scenario.py tests/surfaces/test_bounded_answers.py tests/browser/pages/test_slow_machine.py tests/stress tests/unit/redaction tests/extension/test_sites.py tests/extension/test_site_walk.py tests/evidence tests/contract/test_container.py tests/docs/test_site.py
	@BOATHOOK_LINES=10000 $(BIN)/pytest -q -n 6 tests/surfaces/test_any_line.py
	@BOATHOOK_CALLS=10000 $(BIN)/pytest -q -n 6 tests/mcp/test_any_call.py
	@BOATHOOK_FUZZ=10000 $(BIN)/pytest -q tests/fuzz
	@BOATHOOK_FRAMES=10000 $(BIN)/pytest -q tests/native

relay-walk: setup
	@$(BIN)/python -m tests.extension.walk

conformance: setup
	@$(BIN)/python tools/run_conformance.py

clients: setup
	@BOATHOOK_THOROUGH=1 $(BIN)/pytest -q tests/clients/test_mcp_list.py tests/clients/test_browser_use.py
	@$(BIN)/python -m tests.clients
	@$(BIN)/python -m tests.clients.first_snapshot

widgets: setup
	@BOATHOOK_THOROUGH=1 $(BIN)/pytest -q tests/browser/widgets

compat: setup
	@BOATHOOK_THOROUGH=1 $(BIN)/pytest -q -n $(WORKERS) tests/compat

qt: setup
	@$(BIN)/python -m venv .cache/qt
	@.cache/qt/bin/python -m pip install -q --disable-pip-version-check PySide6-WebEngine

gen: setup
	@$(BIN)/python -m tools.python_api
	@$(BIN)/python tools/generate_docs.py
	@$(BIN)/python tools/generate_manifests.py
	@$(BIN)/python tools/generate_pages.py
	@$(BIN)/python tools/generate_protocol.py
	@$(BIN)/python tools/generate_native.py
	@$(BIN)/python tools/build_changelog.py

clean:
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist build demo-output
