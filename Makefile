# Every goal makes what it needs: a fresh machine with Python, pip, git, make and a C++ compiler is enough.
PYTHON ?= python3
# Every process of a test would compile what it imports again.
export PYTHONDONTWRITEBYTECODE :=
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find src cpp -type f -not -name '*.pyc' -not -name '*.so')
NATIVE := PINGCE_REQUIRE_NATIVE=1
SITE := build/sanitize/site
THREADS_SITE := build/sanitize-threads/site
PAGES := build/site
CLANG_SITE := build/clang/site
PLAIN_SITE := build/plain/site
LIBRARY = $$($(or $(CXX),g++) -print-file-name=$(1))
SANITIZED = PYTHONPATH=$(SITE) $(NATIVE) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
  ARROW_DEFAULT_MEMORY_POOL=system LD_PRELOAD="$(call LIBRARY,libasan.so) $(call LIBRARY,libstdc++.so)"

.PHONY: demo test test-deep suite coverage lint style types format sanitize sanitize-threads thorough deep docs site screenshots conformance bench \
  fuzz mutants browser training tools outside clang plain aarch64 wheels clean

demo: $(VENV)/installed
	$(BIN)/pingce demo --report .

# What a newcomer runs, about six minutes on two cores: style and the suite, without the minutes that are deep.
# Two goals at a time: packages come while the core is compiled.
test:
	$(MAKE) --jobs=2 style $(VENV)/tested
	$(MAKE) suite
	@echo "Types, tensors, Spark, the browser, the installs from scratch, the sanitizers, more examples and the fuzzer: make test-deep."

# The minutes that a change does not need at every step, eighteen or so. SEED=16, as CI has it, draws the same examples and inputs every time.
# The compilers of the sanitized cores have a processor while mypy has the other.
test-deep: $(VENV)/tested $(VENV)/torch $(VENV)/spark browser
	$(MAKE) --jobs=2 types $(SITE)/built $(THREADS_SITE)/built
	$(MAKE) deep
	$(MAKE) sanitize
	$(MAKE) sanitize-threads
	$(MAKE) thorough EXAMPLES=100
	$(MAKE) fuzz FUZZ="--cases 150000 $(if $(SEED),--seed $(SEED))"

suite: $(VENV)/tested
	$(NATIVE) $(BIN)/python -m pytest -n 2 -m "not deep and not sweep"

# Tests that carry the mark `deep` with their reason: above all the installs from scratch, on every interpreter found, a cluster of Spark and chromium.
# Those of libraries with an environment of their own are skipped, loudly, until `make outside` has made it.
deep: $(VENV)/tested $(VENV)/torch $(VENV)/triton $(VENV)/spark
	PINGCE_TEST_CLUSTER=1 $(NATIVE) $(BIN)/python -m pytest -n 2 -m "deep or (sweep and not hypothesis)"

# Every property test again with four times the examples; twice as many within test-deep, which has half an hour.
EXAMPLES ?= 200
thorough: $(VENV)/tested
	$(NATIVE) HYPOTHESIS_PROFILE=thorough PINGCE_TEST_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -n 2 -m "hypothesis and not deep" $(if $(SEED),--hypothesis-seed=$(SEED))

# The suite again, counting which lines it runs: by itself, since counting makes it half as slow again.
coverage: $(VENV)/tested $(VENV)/torch $(VENV)/spark browser
	$(NATIVE) $(BIN)/python -m pytest -n 2 --cov --cov-report=term --cov-fail-under=95

lint: style types

style: $(VENV)/test-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror cpp/*.h cpp/*.inc cpp/*.cpp

types: $(VENV)/tested
	$(BIN)/mypy

format: $(VENV)/test-tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i cpp/*.h cpp/*.inc cpp/*.cpp

# What reaches the C++: evidence, ids and text, and the fuzzer's own tests. Files, metrics, scores and figures have none of it.
REACHING := tests/evidence tests/factors tests/fuzz $(patsubst %,tests/inputs/test_%.py,dicts hashed ids layouts parser policies_on_rows read trec)
sanitize: $(SITE)/built
	$(SANITIZED) PINGCE_TEST_NATIVE_ONLY=1 $(BIN)/python -m pytest -q -n 2 -m "not deep" -p no:cacheprovider $(REACHING)

# Every threaded function of the core under ThreadSanitizer: a race ends it with status 66.
sanitize-threads: $(THREADS_SITE)/built
	PYTHONPATH=$(THREADS_SITE) $(NATIVE) TSAN_OPTIONS=exitcode=66 LD_PRELOAD="$(call LIBRARY,libtsan.so)" \
	  $(BIN)/python -m pytest -q -p no:cacheprovider tests/evidence/test_threads.py

# The core as clang compiles it, with warnings as errors; and as compilers without GNU's extensions have it (cpp/portable.h).
clang: $(CLANG_SITE)/built
	PYTHONPATH=$(CLANG_SITE) $(NATIVE) PINGCE_TEST_NATIVE_ONLY=1 $(BIN)/python -m pytest -q -n 2 -m "not deep" -p no:cacheprovider $(REACHING)

plain: $(PLAIN_SITE)/built
	PYTHONPATH=$(PLAIN_SITE) $(NATIVE) PINGCE_TEST_NATIVE_ONLY=1 $(BIN)/python -m pytest -q -n 2 -m "not deep" -p no:cacheprovider $(REACHING)

# The wheel of another processor, compiled here and run under qemu: what reaches the core, what holds frozen numbers, and documents of every metric, which must be those of this machine.
aarch64: $(VENV)/tested
	PYTHON=$(BIN)/python scripts/build_aarch64.sh $(REACHING) $(patsubst %,tests/%,golden conformance metrics release)

# The files of a release that can be built here, each installed into an empty environment and tried: dist/.
wheels:
	scripts/build_wheels.sh

# A million random and mutated inputs, shared among the parsers, under the sanitizers; the seed is printed.
FUZZ ?= --cases 1000000
fuzz: $(SITE)/built
	$(SANITIZED) $(BIN)/python -m tests.fuzz $(FUZZ) --workers 2

# Changes what computes in one place at a time and looks whether a test notices: tests/mutants/README.md. MUTANTS says how many.
MUTANTS ?= 200
MUTATING := build/mutants/venv/bin/python
mutants: $(VENV)/tested
	test -x $(MUTATING) || $(PYTHON) -m venv build/mutants/venv
	$(MUTATING) -m pip install --quiet --no-compile --upgrade pip
	$(MUTATING) -m pip install --quiet --no-compile --group mutants
	$(MUTATING) -m tests.mutants --mutants $(MUTANTS) --python $(abspath $(BIN)/python)

# The generated parts of the READMEs, and the stub of the core; a test fails while they are out of date.
docs: $(VENV)/tested
	$(BIN)/python scripts/make_stub.py
	$(BIN)/python scripts/make_docs.py

# The documentation site, of docs/, the metrics, the conventions and the docstrings, in both languages: build/site/html/index.html. No warning passes.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(PAGES)/venv/bin/python -m mkdocs build --quiet --config-file
site: $(VENV)/tested $(PAGES)/venv/ready
	PYTHONPATH=scripts $(BIN)/python -m website.build $(PAGES)
	$(MKDOCS) $(PAGES)/mkdocs.zh.yml
	$(MKDOCS) $(PAGES)/mkdocs.en.yml
	@echo "$(PAGES)/html/index.html"

# The pictures of the report in the READMEs, from the demo's data: docs/images/report-*.png.
screenshots: $(VENV)/tested browser
	$(BIN)/python scripts/make_screenshots.py

# Peers' numbers, each from the real tool in an environment of its own, written to tests/conformance/*.json.
conformance:
	tests/conformance/run.sh

# pingce and its peers on the same data in one run; results.json and results.md in benchmarks/.
bench: $(VENV)/tested $(VENV)/spark
	$(BIN)/python benchmarks/run.py

# Debian's chromium and a Chinese font, where they can be installed; else a loud word, and the browser tests are skipped.
browser:
	scripts/install_browser.sh

# The libraries that train, and pingce, in an environment of their own: for the deep tests that run the examples of docs/training.md.
TRAINING := build/training/venv
training: $(TRAINING)/ready

# The same of tools that people work with: ir_measures, PyTerrier and those of docs/tables.md and docs/tracking.md.
TOOLS := build/tools/venv
tools: $(TOOLS)/ready

# The deep tests with all of these environments (libraries that train, tools that people work with, the site's) and with the wheels of a release.
outside: $(TRAINING)/ready $(TOOLS)/ready $(PAGES)/venv/ready
	PINGCE_TEST_WHEELS=1 $(MAKE) deep

clean:
	rm -rf build dist $(VENV)

# Nothing is compiled at installation: most of what is installed is never imported, and the rest is compiled when it is.
PIP := $(BIN)/python -m pip
INSTALL := $(PIP) install --quiet --no-compile

$(VENV)/created:
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip
	touch $@

$(VENV)/installed: $(VENV)/created $(SOURCES)
	$(INSTALL) .
	touch $@

$(VENV)/build-tools: $(VENV)/created pyproject.toml
	$(INSTALL) --group build
	touch $@

$(VENV)/test-tools: $(VENV)/build-tools
	$(INSTALL) --group test
	touch $@

$(VENV)/torch: $(VENV)/test-tools
	$(INSTALL) --group torch || echo "torch cannot be installed here: its tests will be SKIPPED" >&2
	touch $@

$(VENV)/triton: $(VENV)/torch
	$(INSTALL) --group triton || echo "triton cannot be installed here: its test will be SKIPPED" >&2
	touch $@

# Half a gigabyte, which pip builds from source where it has none in its cache: for the deep tests alone.
$(VENV)/spark: $(VENV)/test-tools
	$(INSTALL) --group spark || echo "pyspark cannot be installed here: its tests will be SKIPPED" >&2
	touch $@

$(VENV)/wheel: $(VENV)/build-tools $(SOURCES)
	rm -rf build/wheel
	$(NATIVE) $(PIP) wheel --quiet --no-build-isolation --no-deps --wheel-dir build/wheel -C cmake.define.PINGCE_STRICT=ON .
	touch $@

$(PAGES)/venv/ready: GROUP := site
$(TRAINING)/ready: GROUP := training
$(TOOLS)/ready: GROUP := tools
$(PAGES)/venv/ready $(TRAINING)/ready $(TOOLS)/ready: $(VENV)/wheel pyproject.toml
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --no-compile --upgrade pip
	$(@D)/bin/python -m pip install --quiet --no-compile --group $(GROUP) build/wheel/*.whl
	$(@D)/bin/python -m pip install --quiet --no-compile --force-reinstall --no-deps build/wheel/*.whl
	touch $@

# A wheel of a version that is already there is installed only by force, and force would bring all it needs again.
$(VENV)/tested: $(VENV)/wheel $(VENV)/test-tools
	$(INSTALL) build/wheel/*.whl
	$(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	touch $@ $(VENV)/installed

$(SITE)/built: SETTINGS := -C cmake.define.PINGCE_SANITIZE=ON -C install.strip=false
$(THREADS_SITE)/built: SETTINGS := -C cmake.define.PINGCE_SANITIZE=thread -C install.strip=false
$(CLANG_SITE)/built: SETTINGS := -C cmake.define.CMAKE_CXX_COMPILER=clang++
$(PLAIN_SITE)/built: SETTINGS := -C cmake.define.PINGCE_PLAIN=ON
$(SITE)/built $(THREADS_SITE)/built $(CLANG_SITE)/built $(PLAIN_SITE)/built: $(VENV)/tested $(SOURCES)
	rm -rf $(@D)
	$(NATIVE) $(INSTALL) --no-build-isolation --no-deps --target $(@D) -C build-dir=$(dir $(@D))cmake \
	  -C cmake.define.PINGCE_STRICT=ON $(SETTINGS) .
	touch $@
