# Targets for building, testing and installing; `make` alone lists them. Those that build and install vt need packages that
# `make deps` installs; those that test it install what they need.

# Targets are made in the order in which they are listed; the builds themselves are parallel.
.NOTPARALLEL:

PREFIX  ?= /usr/local
DESTDIR ?=
BENCH   ?=
RELEASE  := .build/release/vt
TESTABLE := .build/testable/vt

# Options of `swift build` and `swift test` for debug builds. All targets must have the same, or they build everything again.
SWIFTFLAGS ?=

# Parallelism is limited because a waiting test would otherwise resume only after all other tests have had a turn.
tests := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=40 swift test $(SWIFTFLAGS)

sudo := $(if $(filter-out 0,$(shell id -u)),sudo)
venv := .build-venv
archives := $(CURDIR)/.build/archives

build_packages := libssh2-1-dev libssl-dev libzstd-dev pkg-config zlib1g-dev
demo_packages  := $(build_packages) openssh-server openssh-client
core_packages  := $(demo_packages) bubblewrap busybox curl dialog dropbear-bin fish git htop iproute2 jq less \
	libnss-wrapper librsvg2-bin mandoc openssl parallel procps python3-venv rsync sshpass strace tcsh tmux vim zsh
test_packages  := $(core_packages) asciinema bc chromium dbus erlang-base erlang-ssh ffmpeg flite fonts-dejavu-core gdb \
	gnome-keyring golang-github-pkg-sftp-dev golang-go libsecret-tools nodejs pocketsphinx \
	pocketsphinx-en-us postgresql proftpd-core proftpd-mod-crypto ruby sox sqlite3

# The first version that supports what servers require today; before it, release builds contain a newer one, built from
# its source package.
libssh2_version := 1.11
source_packages  = $(if $(shell pkg-config --atleast-version=$(libssh2_version) libssh2 || echo no),distro-info-data dpkg-dev)

dist_packages  := debootstrap strace
slurm_packages := $(demo_packages) munge slurm-client slurmctld slurmd
program_packages := dialog fzf gcc gdb git htop less libc6-dev man-db mc nano nodejs openssh-client postgresql procps \
	sqlite3 tmux vim
bench_packages := $(demo_packages) asciinema chromium clustershell curl dtach pssh tmux

# Sets the shell variable `missing` to the Debian packages in $(1) that are not installed.
find_missing = missing=; for package in $(1); do \
	dpkg-query -Wf '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed || missing="$$missing $$package"; \
done

# $(call install_packages,NAMES): installs the Debian packages in NAMES that are missing.
define install_packages
@$(find_missing); [ -z "$$missing" ] || { $(sudo) apt-get update -qq && \
	$(sudo) env DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends $$missing; }
endef

# $(call require_packages,NAMES): fails if the Swift toolchain or Debian packages in NAMES are missing. Systems without
# dpkg have other names for the packages; there, the compiler reports what is missing.
define require_packages
@command -v swift >/dev/null || \
	{ echo 'missing: Swift 6.2 or later; see https://www.swift.org/install/linux/' >&2; exit 1; }
@command -v dpkg-query >/dev/null || exit 0; $(find_missing); [ -z "$$missing" ] || \
	{ echo "missing packages:$$missing; run 'make deps' or '$(strip $(sudo) apt-get) install$$missing'" >&2; exit 1; }
endef

.PHONY: help
help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

.PHONY: deps
deps: demo-deps ## install the Debian packages required for building and for the demo
	$(call install_packages,$(source_packages))

.PHONY: demo-deps
demo-deps:
	$(call install_packages,$(demo_packages))

.PHONY: test-deps
test-deps: $(venv)/peers ## install the test dependencies: Debian packages, and SSH servers and clients of other protocols in a venv
	$(call install_packages,$(test_packages))

$(venv)/peers: Makefile
	$(call install_packages,python3-venv)
	python3 -m venv $(venv)
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check asyncssh==2.24.1 paramiko==5.1.0 ipython==9.18.1 mcp==2.3.0 websockets==17.4
	@touch $@

.PHONY: check-build-deps
check-build-deps:
	$(call require_packages,$(build_packages))

.PHONY: check-release-deps
check-release-deps:
	$(call require_packages,$(build_packages) $(source_packages))

.PHONY: build
build: check-build-deps ## make a debug build: .build/debug/vt
	swift build $(SWIFTFLAGS)

# The linker omits unused functions if each has a section of its own. With VT_STATIC, Package.swift links a static vt.
optimized := swift build -c release \
	-Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
static    := VT_STATIC=1 PKG_CONFIG_PATH=$(archives) $(optimized)

.PHONY: release
release: check-release-deps $(archives)/libssh2.pc ## make a release build: .build/release/vt, a static executable
	$(static) --product vt

# The pkg-config files in this directory name archives instead of shared libraries. What a library needs differs between
# releases (libcrypto in Debian 13 needs libzstd), so the names come from pkg-config. Names without an archive are left
# out: libssh2.pc lists libgpg-error, which it does not use. An old libssh2 is replaced with a newer one; its header is not,
# because that of the system describes both, and nothing has to be compiled again to use the other library.
$(archives)/libssh2.pc: check-release-deps
	mkdir -p $(archives)
	ln -sf "$$(clang -print-file-name=libstdc++.a)" $(archives)
	libssh2=$$(Scripts/libssh2.sh .build/libssh2 $(libssh2_version)) || \
		echo 'warning: the libssh2 of this system is used; see docs/guide/servers.md' >&2; \
	path=$${libssh2:+$$libssh2/lib/pkgconfig:}$$PKG_CONFIG_PATH; \
	for package in libcrypto libssl zlib libssh2; do \
		cflags=$$(pkg-config --cflags $$package) || exit 1; \
		names=$$(PKG_CONFIG_PATH=$$path pkg-config --static --libs-only-l $$package) && libs= || exit 1; \
		for name in $$names; do \
			archive=lib$${name#-l}.a; \
			[ "$$(clang -print-file-name=$$archive)" = $$archive ] || libs="$$libs -l:$$archive"; \
		done; \
		printf 'Name: %s\nDescription: -\nVersion: 0\nLibs: %s%s\nCflags: %s\n' $$package \
			"$$(PKG_CONFIG_PATH=$$path pkg-config --static --libs-only-L $$package)" "$$libs" "$$cflags" \
			>$(archives)/$$package.pc || exit 1; \
	done

.PHONY: portable
portable: release ## make a release build, and verify that it runs on any Linux and supports current servers
	@! readelf -lW $(RELEASE) | grep -E '^ +(INTERP|DYNAMIC) ' >&2 || \
		{ echo 'portable: $(RELEASE) is not statically linked' >&2; exit 1; }
	@version=$$($(RELEASE) version --json | sed -n 's/.*"libssh2" *: *"\([^"]*\)".*/\1/p'); \
		dpkg --compare-versions "$$version" ge $(libssh2_version) || \
		{ echo "portable: $(RELEASE) has libssh2 $$version, not $(libssh2_version) or later" >&2; exit 1; }; \
		echo "$(RELEASE): $$(uname -sm), statically linked, libssh2 $$version"

.PHONY: demo
demo: ## run commands on a private SSH server on loopback
	@echo 'make demo: installs what is missing of $(words $(demo_packages)) packages (up to 130 MB), builds vt in .build (0.6 GB),'
	@echo 'and runs it with a private SSH server on loopback: about 2 minutes on 2 cores'
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory build
	Tests/demo.sh .build/debug/vt

.PHONY: test
test: ## run all tests
	@echo 'make test: installs what is missing of $(words $(test_packages)) packages (up to 2.3 GB) and a venv (150 MB),'
	@echo 'builds vt and its tests in .build (1.3 GB), and runs all tests: about 20 minutes on 2 cores'
	@$(MAKE) --no-print-directory test-deps
	$(tests)

# A release build in which tests can use internal declarations, and with fault points. It is linked twice: as a static
# executable, and, for the vt beside the tests, with the shared libraries of this system.
testable := --build-tests -Xswiftc -enable-testing -Xswiftc -DFAULTS

.PHONY: testable
testable: test-deps check-release-deps $(archives)/libssh2.pc ## make a release build with tests: .build/testable/vt
	$(static) $(testable)
	install -D $(RELEASE) $(TESTABLE)
	$(optimized) $(testable)

# The last suites are for the shared libraries.
.PHONY: test-release
test-release: testable ## run all tests with the release build
	VT_BINARY=$(CURDIR)/$(TESTABLE) $(tests) -c release --skip-build
	$(tests) -c release --skip-build --filter 'IntegrationTests.(ExitStatus|RSAKey|ServerKind|StoppedRun)'

# The tests of the other suites need a browser, databases, interpreters, speech programs, a desktop's secret store, other
# file servers, asciinema or ffmpeg, which are most of the packages.
.PHONY: test-core
test-core: core-deps ## run the tests that need no browser, database, speech program or desktop
	$(tests) --skip \
		'IntegrationTests.(Asciinema|Browser|CastCommand|Database|FileServer|Interpreter|Repl(Matrix|Server)?Tests|ScreenImage|Transcribe)' \
		--skip 'SpeechTests.WaveFile|StorageTests.SystemSecretStore'

.PHONY: core-deps
core-deps: $(venv)/peers
	$(call install_packages,$(core_packages))

.PHONY: test-ssh
test-ssh: test-deps ## run the tests that connect to SSH servers
	$(tests) --filter \
		'SecureShellTests|IntegrationTests.(Credential|Denial|Exec|ExitStatus|HostKey|KeepAlive|RSAKey|Server|SSH|Stream|Transport)'

.PHONY: test-flips
test-flips: test-deps deps release ## flip each of the first 2,500 bytes that a server sends to the release build, in 10 minutes
	VT_BINARY=$(CURDIR)/$(RELEASE) VT_TEST_ROUNDS=50 swift test $(SWIFTFLAGS) --filter IntegrationTests.FlippedBitTests

.PHONY: test-slurm
test-slurm: slurm-deps build ## run a private Slurm, and compare an array of 4 tasks of vt with one run
	$(sudo) Tests/Fleet/slurm.sh .build/debug/vt

.PHONY: slurm-deps
slurm-deps:
	$(call install_packages,$(slurm_packages))

.PHONY: programs-deps
programs-deps: deps $(venv)/programs
	$(call install_packages,$(program_packages))

$(venv)/programs: $(venv)/peers
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check ipython==9.18.1 textual==8.2.8
	@touch $@

.PHONY: test-programs
test-programs: programs-deps build ## drive 20 programs that fill the screen with vt: ROUNDS=N, PROGRAM=NAME
	$(venv)/bin/python -B Tests/Programs/drive.py --rounds $(or $(ROUNDS),3) $(if $(PROGRAM),--only $(PROGRAM))

.PHONY: bench-deps
bench-deps: deps $(venv)/peers
	$(call install_packages,$(bench_packages))

.PHONY: bench
bench: bench-deps release ## compare with ssh, tmux and other programs: BENCH='--only NAME', BENCH=--short, BENCH='--json FILE'
	$(venv)/bin/python -B Tests/Benchmarks/bench.py --vt $(RELEASE) $(patsubst short,--short,$(BENCH))

.PHONY: bench-terminal
bench-terminal: ## measure the speed of the emulator
	swift build -c release --product terminal-bench
	.build/release/terminal-bench

.PHONY: fuzz
fuzz: ## feed generated output to the emulator for 60 seconds, or SECONDS=N
	Tests/Fuzz/run.sh $(or $(SECONDS),60)

.PHONY: unicode
unicode: $(venv)/icu ## generate the Unicode tables from ICU 78 (Unicode 17)
	$(venv)/bin/python -B Scripts/unicode-tables.py

$(venv)/icu:
	$(call install_packages,python3-venv)
	python3 -m venv $(venv)
	$(venv)/bin/pip install --quiet --disable-pip-version-check icukit-pyicu==78.3.1
	@touch $@

.PHONY: lint
lint: ## check the style of the code and the syntax of scripts
	swift format lint --strict --parallel --recursive Sources Tests Package.swift
	for script in .ci/run $$(find Scripts Tests -name '*.sh'); do bash -n $$script || exit 1; done
	python3 -c 'import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]' \
		$$(find Scripts Tests -name '*.py')

.PHONY: sizes
sizes: ## print the lines and types in each folder of Sources, and folders that use each other; draw docs/modules.svg
	@mkdir -p .build
	@VT_SIZES=$(CURDIR)/.build/sizes swift test $(SWIFTFLAGS) --filter LayeringTests.FolderTests >.build/sizes.log 2>&1 || \
		{ grep -E 'error:' .build/sizes.log >&2; exit 1; }
	@cat .build/sizes

.PHONY: fmt
fmt: ## format the code in place
	swift format format --in-place --parallel --recursive Sources Tests Package.swift

.PHONY: generate
generate: build ## generate the man pages, completions and docs/json.md from the command table
	.build/debug/vt generate .

.PHONY: install
install: release ## install under PREFIX (and DESTDIR): binary, man pages, completions, docs
	$(MAKE) --no-print-directory install-files

.PHONY: install-files
install-files:
	install -D -m 755 $(RELEASE) $(DESTDIR)$(PREFIX)/bin/vt
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	install -D -m 644 completions/vt.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/vt
	install -D -m 644 completions/_vt $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_vt
	install -D -m 644 completions/vt.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/vt.fish
	install -d $(DESTDIR)$(PREFIX)/share/doc/vt/docs/guide
	install -m 644 README.md $(DESTDIR)$(PREFIX)/share/doc/vt
	install -m 644 docs/*.md docs/tour.svg docs/modules.svg $(DESTDIR)$(PREFIX)/share/doc/vt/docs
	install -m 644 docs/guide/*.md $(DESTDIR)$(PREFIX)/share/doc/vt/docs/guide

.PHONY: dist
dist: portable ## make dist/vt-VERSION-linux-ARCH.tar.gz and a Debian package, with checksums
	Scripts/dist.sh $(RELEASE) dist

.PHONY: test-dist
test-dist: dist-deps dist ## install the package in a bare Debian, and run vt there and with only busybox (as root)
	Tests/Dist/run.sh dist .build/roots

.PHONY: dist-deps
dist-deps: deps
	$(call install_packages,$(dist_packages))

.PHONY: test-debian13
test-debian13: ## build, install and run the SSH tests in Debian 13, with its libssh2 1.11 (as root)
	$(call install_packages,debootstrap git)
	Tests/Dist/debian13.sh .build/roots

.PHONY: clean
clean: ## remove all build products and the venv
	rm -rf .build dist $(venv)
