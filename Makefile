# Every goal makes what it needs: a fresh machine with Python, pip, git, make and a C++ compiler is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find src cpp -type f -not -name '*.pyc' -not -name '*.so')
NATIVE := PINGCE_REQUIRE_NATIVE=1
SITE := build/sanitize/site
LIBRARY = $$($(or $(CXX),g++) -print-file-name=$(1))
SANITIZED = PYTHONPATH=$(SITE) $(NATIVE) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
  ARROW_DEFAULT_MEMORY_POOL=system LD_PRELOAD="$(call LIBRARY,libasan.so) $(call LIBRARY,libstdc++.so)"

.PHONY: demo test test-fast coverage lint format sanitize docs screenshots conformance bench fuzz browser clean

demo: $(VENV)/installed
	$(BIN)/pingce demo --report .

# What CI runs: style, types, the suite, the installs from scratch, and what reaches the C++ under the sanitizers.
test: lint browser
	$(NATIVE) $(BIN)/python -m pytest -n 2
	$(MAKE) sanitize

# The suite again, counting which lines it runs: by itself, since counting makes it half as slow again.
coverage: $(VENV)/tested browser
	$(NATIVE) $(BIN)/python -m pytest -n 2 --cov --cov-report=term --cov-fail-under=95

test-fast: $(VENV)/tested browser
	$(NATIVE) HYPOTHESIS_PROFILE=fast $(BIN)/python -m pytest -n 2 -m "not install"

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror cpp/*.h cpp/*.cpp

format: $(VENV)/tested
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i cpp/*.h cpp/*.cpp

# What reaches the C++: evidence, ids and text, and the fuzzer's own tests. Files, metrics, scores and figures have none of it.
REACHING := tests/evidence tests/fuzz $(patsubst %,tests/inputs/test_%.py,dicts hashed ids layouts parser policies_on_rows read trec)
sanitize: $(SITE)/built
	$(SANITIZED) PINGCE_TEST_NATIVE_ONLY=1 HYPOTHESIS_PROFILE=fast $(BIN)/python -m pytest -q -n 2 -m "not install" -p no:cacheprovider $(REACHING)

# A million random and mutated inputs, shared among the parsers, under the sanitizers; the seed is printed.
fuzz: $(SITE)/built
	$(SANITIZED) $(BIN)/python -m tests.fuzz --cases 1000000 --workers 2

# The generated parts of the READMEs; a test fails while they are out of date.
docs: $(VENV)/tested
	$(BIN)/python scripts/make_docs.py

# The pictures of the report in the READMEs, from the demo's data: docs/images/report-*.png.
screenshots: $(VENV)/tested browser
	$(BIN)/python scripts/make_screenshots.py

# Peers' numbers, each from the real tool in an environment of its own, written to tests/conformance/*.json.
conformance:
	tests/conformance/run.sh

# pingce and its peers on the same data in one run; results.json and results.md in benchmarks/.
bench: $(VENV)/tested
	$(BIN)/python benchmarks/run.py

# Debian's chromium and a Chinese font, where they can be installed; else a loud word, and the browser tests are skipped.
browser:
	scripts/install_browser.sh

clean:
	rm -rf build dist $(VENV)

$(VENV)/created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/installed: $(VENV)/created $(SOURCES)
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/test-tools: $(VENV)/created pyproject.toml
	$(BIN)/python -m pip install --quiet --group test
	$(BIN)/python -m pip install --quiet --group torch || echo "torch cannot be installed here: its tests will be skipped" >&2
	$(BIN)/python -m pip install --quiet --group spark || echo "pyspark cannot be installed here: its tests will be skipped" >&2
	touch $@

$(VENV)/tested: $(VENV)/test-tools $(SOURCES)
	$(NATIVE) $(BIN)/python -m pip install --quiet --no-build-isolation -C cmake.define.PINGCE_STRICT=ON .
	touch $@ $(VENV)/installed

$(SITE)/built: $(VENV)/tested $(SOURCES)
	rm -rf $(SITE)
	$(NATIVE) $(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --target $(SITE) \
	  -C build-dir=build/sanitize/cmake -C cmake.define.PINGCE_STRICT=ON -C cmake.define.PINGCE_SANITIZE=ON -C install.strip=false .
	touch $@
