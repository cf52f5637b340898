# evetools: one non-recursive makefile for GNU make. `make help` lists the targets.
# To add a module, a tool or a unit test, add its name to one of the lists.

# The library: the core that all tools share, then what each of them has of its own.
CORE  = mem str utf8 simd packed num buf arena chunk ahead zlib_mem \
        unpack unpack_gzip unpack_zstd pack pack_gzip pack_zstd source \
        quote attrs map line json out replace diag http \
        text edit event key value spell decode block snapshot template template_learn dedupe
NORM  = coalesce norm
STAT  = tally row price curve account largest stat merge
ACCUM = saved show draft open ending order accum record cumulate answer transcript recent cursor state \
        messages messages_auth messages_call messages_called messages_case messages_doc \
        messages_label messages_result messages_run messages_spell messages_state messages_tool \
        messages_write
CHECK = words names roster seen canon members rules \
        check check_ids check_text check_done check_hold check_flow check_calls check_coords check_excuse \
        ignore flow flow_block golden expect expect_file expect_tally expect_write
# What other programs use, on top of all that.
API   = evestream
LIB   = $(CORE) $(NORM) $(STAT) $(ACCUM) $(CHECK) $(API)

# The commands: what they share, then what belongs to one tool.
CMD   = cli help explain report progress signals sink feed feed_head feed_inputs feed_options \
        rejects migrate \
        grid screen stat_view stat_json stat_csv stat_table stat_plot stat_read \
        keep accum_options \
        escape compose format format_text format_json format_github format_sarif format_junit \
        format_tap reference rulebook
TOOLS = evenorm evestat eveaccum evecheck
MAN   = $(TOOLS:%=%.1) evestream.5 evetools.7
# What evetools(7) shows, and what README and the library's page refer to.
SAMPLES = migrate.sh follow.sh answers.sh fixtures.sh cost.sh evecheck-step.yml evecheck.bats blocks.c \
          v24-long-answer.ndjson v24-tool-call.ndjson
UNIT  = check cli mem str utf8 simd num buf arena chunk quote map json out text \
        unpack source line replace diag http event key edit decode template \
        snapshot coalesce dedupe norm torture \
        block tally price row curve grid stat merge spell show order accum chunking messages \
        value canon format escape ignore golden expect evestream names roster seen rules members \
        seed check_stream check_coords
FUZZ  = scanner event norm template http unpack accum messages check stat merge expect state

# Where things go. CONFIG is release, dev, asan or cov; each has its own folder in BUILD.
CONFIG  ?= release
BUILD   ?= build
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
MANDIR  ?= $(datadir)/man
ZSHDIR  ?= $(datadir)/zsh/site-functions
DOCDIR  ?= $(datadir)/doc/evetools
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
O := $(BUILD)/$(CONFIG)

# CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are the user's and come after ours, so that they win.
PKG_CONFIG ?= pkg-config
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wformat=2 -Wstrict-prototypes \
       -Wmissing-prototypes
FORTIFY = $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))$(filter -O0,$(CFLAGS)),,\
          -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
MODE.release = -O2 -g -fstack-protector-strong $(FORTIFY)
MODE.dev     = -O0 -g3 -Werror
MODE.asan    = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
               -fno-sanitize-recover=all
MODE.cov     = -O0 -g --coverage
MODE = $(or $(MODE.$(CONFIG)),$(error CONFIG is release, dev, asan or cov, not '$(CONFIG)'))

# Formats of compressed files: those whose library is there. WITHOUT='GZIP ZSTD' leaves some out.
FORMATS = $(eval FORMATS := $(filter-out $(WITHOUT),$(foreach f,GZIP ZSTD,$(shell \
          $(PKG_CONFIG) --exists $(PKG.$f) && echo $f))))$(FORMATS)
PKG.GZIP = zlib
PKG.ZSTD = libzstd
PKGS = libcjson $(foreach f,$(FORMATS),$(PKG.$f))

# pkg-config is asked when a recipe runs, because tests/deps.sh may just have installed it.
CPP_ALL = -D_GNU_SOURCE -iquote lib -iquote cmd $(FORMATS:%=-DEVE_WITH_%) $(shell $(PKG_CONFIG) --cflags $(PKGS))
COMPILE = $(CC) -std=c11 $(WARN) $(MODE) -fPIE $(CPP_ALL) -MMD -MP $(CPPFLAGS) $(CFLAGS)
LINK    = $(CC) $(MODE) -fPIE -pie -Wl,-z,relro,-z,now $(CFLAGS) $(LDFLAGS)
LIBS    = $(shell $(PKG_CONFIG) --libs $(PKGS)) -pthread $(LDLIBS)

# Builds on the way to tests and the demo use all processors, unless -j said how many.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# V=1 shows whole commands.
MAKEFLAGS += --no-print-directory
say = $(if $(V),,@printf '  %-5s%s\n' $1 '$@';)

LIB_O  = $(LIB:%=$O/lib/%.o)
CMD_O  = $(CMD:%=$O/cmd/%.o)
TOOL_O = $(TOOLS:%=$O/cmd/%.o)
UNIT_O = $O/tests/unit/main.o $(UNIT:%=$O/tests/unit/test_%.o)
# The unit tests have a library of their own, in which allocations can be made to fail.
HOOK_O = $(LIB:%=$O/hooks/lib/%.o)
OBJS   = $(LIB_O) $(CMD_O) $(TOOL_O) $(UNIT_O)
PROGS  = $(TOOLS:%=$O/%)

.DELETE_ON_ERROR:
.SECONDARY: $(OBJS) $(HOOK_O)

# The library for others is one object, of which only eve_stream_* can be seen.
LIBRARY = $O/libevestream.a $O/libevestream.pc
OBJCOPY ?= objcopy
VERSION = $(shell sed -n 's/^.define EVETOOLS_VERSION "\(.*\)"$$/\1/p' cmd/cli.h)

## all: build the tools and the library (the default)
.PHONY: all
all: $(PROGS) $(LIBRARY)
	@:

$(PROGS): $O/%: $O/cmd/%.o $O/cmd.a $O/libeve.a
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBS)

# A tool takes from the archives what it uses.
$O/cmd.a: $(CMD_O)
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$O/libeve.a: $(LIB_O)
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$O/libevestream.a: $O/lib/evestream.o $O/libeve.a
	$(call say,AR)rm -f $@ && $(LD) -r -o $O/evestream.o $^ && \
	    $(OBJCOPY) -w --keep-global-symbol='eve_stream_*' $O/evestream.o && $(AR) rcs $@ $O/evestream.o

# Where it is installed is not known before; what it needs is.
$O/libevestream.pc: Makefile cmd/cli.h $O/formats
	$(call say,PC)printf '%s\n' 'Name: libevestream' 'Version: $(VERSION)' \
	    'Description: event streams of the eve agent framework' \
	    'Requires.private: $(foreach f,$(FORMATS),$(PKG.$f))' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -levestream' 'Libs.private: -pthread' >$@

$O/hooks/libeve.a: $(HOOK_O)
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$O/tests/unit/run: $(UNIT_O) $(CMD_O) $O/hooks/libeve.a
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBS)

$O/tests/unit/main.o: CPP_ALL += -DUNIT_TESTS='$(patsubst %,X(%),$(UNIT))'

$(OBJS): $O/%.o: %.c Makefile
	$(call say,CC)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

$(HOOK_O) $(UNIT_O): CPP_ALL += -DEVE_TEST_HOOKS
$(HOOK_O): $O/hooks/%.o: %.c Makefile
	$(call say,CC)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

# What depends on the formats is made anew when they change.
FORMAT_O = $(foreach m,packed zlib_mem unpack unpack_gzip unpack_zstd pack pack_gzip pack_zstd,\
           $O/lib/$m.o $O/hooks/lib/$m.o $O/growth/lib/$m.o)
$(FORMAT_O): $O/formats
.PHONY: look
$O/formats: look
	@mkdir -p $(@D) && echo '$(FORMATS)' | cmp -s - $@ || echo '$(FORMATS)' >$@

-include $(OBJS:.o=.d) $(HOOK_O:.o=.d)

## demo: install what is missing, build, and show a recorded stream before and after
.PHONY: demo
demo:
	@tests/deps.sh build
	@$(MAKE) $(PARALLEL) all
	@O='$O' samples/demo.sh

# Every group of tests: what tests/run knows as `unit`, `cli` and so on.
RUN = O='$O' CONFIG='$(CONFIG)' CC='$(CC)' MAKE='$(MAKE)' tests/run
GROUPS = unit conformance golden cli torture fuzz growth meta
## test, check: install what is missing, build, and run all tests
## check-unit, check-conformance, check-golden, check-cli, check-torture, check-fuzz, check-growth, check-meta: one group of them
.PHONY: test check ready built $(GROUPS:%=check-%)
test check: ready
	@$(RUN) $(GROUPS)
$(GROUPS:%=check-%): check-%: ready
	@$(RUN) $*
ready:
	@tests/deps.sh build test
	@$(MAKE) $(PARALLEL) built
built: all $O/tests/unit/run torture-helpers $(FUZZ:%=$O/tests/fuzz/%) $O/growth/evenorm

# What the tests preload into the tools and drive them with: plain, whatever CONFIG is.
TORTURE = preload.so drive hostile
.PHONY: torture-helpers
torture-helpers: $(TORTURE:%=$O/tests/torture/%)
$O/tests/torture/%.so: tests/torture/%.c Makefile
	$(call say,CC)mkdir -p $(@D) && $(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -fPIC -shared -o $@ $<
$O/tests/torture/%: tests/torture/%.c Makefile
	$(call say,CC)mkdir -p $(@D) && $(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -o $@ $<

# The tools once more, built so that they count what they do: plain, whatever CONFIG is. `make test`
# asks only evenorm, which has the parts that all share; `make check-full` asks all.
GROWTH_O = $(patsubst %,$O/growth/%.o,$(LIB:%=lib/%) $(CMD:%=cmd/%))
GROWTH_evenorm = $(patsubst %,$O/growth/%.o,$(CORE:%=lib/%) $(NORM:%=lib/%) \
               $(patsubst %,cmd/%,cli help explain report progress signals sink feed feed_head \
               feed_inputs feed_options rejects migrate escape))
.PHONY: growth
growth: $(TOOLS:%=$O/growth/%)
WRAPPED = -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memcmp,--wrap=memset,--wrap=memchr
$O/growth/%.o: %.c Makefile
	$(call say,CC)mkdir -p $(@D) && $(CC) -std=c11 -fno-builtin -fsanitize-coverage=trace-pc $(CPP_ALL) -MMD -MP -c -o $@ $<
$O/growth/count.o: tests/growth/count.c Makefile
	$(call say,CC)mkdir -p $(@D) && $(CC) -std=c11 -D_GNU_SOURCE -O1 -c -o $@ $<
$O/growth/evenorm: $(GROWTH_evenorm)
$(filter-out %/evenorm,$(TOOLS:%=$O/growth/%)): $(GROWTH_O)
$(TOOLS:%=$O/growth/%): $O/growth/%: $O/growth/cmd/%.o $O/growth/count.o
	$(call say,LINK)$(CC) $(WRAPPED) -o $@ $^ $(LIBS)
.SECONDARY: $(GROWTH_O) $(TOOLS:%=$O/growth/cmd/%.o)
-include $(GROWTH_O:.o=.d) $(TOOLS:%=$O/growth/cmd/%.d)

# Fuzz targets as plain programs, which replay their corpus.
FUZZ_H = $(wildcard tests/*.h tests/fuzz/*.h)
$O/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(FUZZ_H) $O/libeve.a Makefile
	$(call say,LINK)mkdir -p $(@D) && $(COMPILE) -MF $@.d $(LDFLAGS) -pie -o $@ $< tests/fuzz/replay.c $O/libeve.a $(LIBS)

## fuzz: libFuzzer on every target, TIME seconds each (default 60); FUZZ names them
TIME = 60
FUZZING = $(BUILD)/fuzz
.PHONY: fuzz
fuzz: $(TOOLS:%=$O/%)
	@tests/deps.sh build fuzz
	@mkdir -p $(FUZZING)
	@O='$(FUZZING)' TOOLS='$O' TIME='$(TIME)' CC='$(CC)' MAKE='$(MAKE)' tests/fuzz/run.sh $(FUZZ)
$(FUZZING)/%: tests/fuzz/%.c $(FUZZ_H) $(wildcard lib/*.[ch]) Makefile
	$(call say,FUZZ)mkdir -p $(@D) && clang -std=c11 $(CPP_ALL) -O1 -g -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=all -o $@ $< $(LIB:%=lib/%.c) $(LIBS)

## conformance: evenorm, eveaccum and evecheck against the published package of eve, from npm; LINES and SEED
LINES = 1000000
SEED = 1
.PHONY: conformance
conformance:
	@tests/deps.sh build conformance
	@$(MAKE) $(PARALLEL) all
	@O='$O' BUILD='$(BUILD)' LINES='$(LINES)' SEED='$(SEED)' tests/reference/run.sh

## check-full: what takes long as well, each row with its figure; FULL_ROWS names some
.PHONY: check-full
check-full: ready
	@O='$O' BUILD='$(BUILD)' CC='$(CC)' MAKE='$(MAKE)' tests/full.sh

## check-ssh: the recipe for several hosts, over an ssh server of its own on this one
.PHONY: check-ssh
check-ssh: ready
	@tests/deps.sh ssh
	@$(RUN) tests/ssh.sh

## asan: the whole suite under the address and undefined behaviour sanitizers
.PHONY: asan
asan:
	@$(MAKE) CONFIG=asan test

## cov: the whole suite with coverage, reported in BUILD/cov/report
.PHONY: cov
cov:
	@tests/deps.sh build cov
	@mkdir -p $(BUILD)/cov/report
	@find $(BUILD)/cov -name '*.gcda' -delete
	@status=0; $(MAKE) CONFIG=cov test || status=$$?; \
	gcovr --root . --exclude tests/ --print-summary \
	    --html-details $(BUILD)/cov/report/index.html $(BUILD)/cov; exit $$status

## lint: compilers at full warnings, analysers, format, scripts
.PHONY: lint objects
SOURCES = $(wildcard lib/*.[ch] cmd/*.[ch] tests/unit/*.[ch])
COMPILE_ALL = $(MAKE) objects CONFIG=dev
lint:
	@tests/deps.sh build lint
	@$(COMPILE_ALL) BUILD=$(BUILD)/lint/gcc CC=gcc CFLAGS='-O2 -fanalyzer' UNIT_O=
	@$(COMPILE_ALL) BUILD=$(BUILD)/lint/gcc CC=gcc CFLAGS=-O2
	@$(COMPILE_ALL) BUILD=$(BUILD)/lint/clang CC=clang CFLAGS=-O2
	clang-format --dry-run -Werror $(SOURCES)
	clang-tidy --quiet $(wildcard lib/*.c cmd/*.c) -- -std=c11 $(CPP_ALL) 2>$(BUILD)/lint/tidy.err
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --error-exitcode=1 -I lib -I cmd $(filter %.c,$(SOURCES))
	shellcheck -x $$(git ls-files -co --exclude-standard | xargs grep -lE '^#!.*(sh|bats)$$')
objects: $(OBJS)
	@:

## bench: the tools against cat, jq, Node and others, as ratios; BENCH_MB and BENCH_RUNS
.PHONY: bench
bench:
	@tests/deps.sh build
	@$(MAKE) --no-print-directory all
	@O='$O' CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' bench/run.sh

## fmt: lay out the sources with clang-format
.PHONY: fmt
fmt:
	clang-format -i $(SOURCES)

## golden-update: rewrite the expected results in tests/golden; review the difference
.PHONY: golden-update
golden-update: all
	@O='$O' tests/golden.sh --update

## completions: make the shell completions anew from the option tables
.PHONY: completions
completions: all
	@O='$O' completions/generate.sh $(TOOLS)

## picture: draw samples/terminal.svg anew from what the tools print
.PHONY: picture
picture: all
	@O='$O' samples/terminal.sh >$(BUILD)/terminal.svg && mv $(BUILD)/terminal.svg samples/terminal.svg

# What is installed, each as FROM:TO.
INSTALLED = $(foreach t,$(TOOLS),$O/$t:$(BINDIR)/$t \
    completions/$t.bash:$(datadir)/bash-completion/completions/$t \
    completions/_$t:$(ZSHDIR)/_$t \
    completions/$t.fish:$(datadir)/fish/vendor_completions.d/$t.fish) \
    $(foreach m,$(MAN),man/$m:$(MANDIR)/man$(subst .,,$(suffix $m))/$m) \
    $(foreach s,$(SAMPLES),samples/$s:$(DOCDIR)/examples/$s) \
    lib/evestream.h:$(INCLUDEDIR)/evestream.h $O/libevestream.a:$(LIBDIR)/libevestream.a \
    $O/libevestream.pc:$(LIBDIR)/pkgconfig/libevestream.pc
# DESTDIR reaches the shell through the environment, so that it may hold any character.
export DESTDIR
## install, uninstall: tools, man pages, completions, samples, library; DESTDIR PREFIX BINDIR MANDIR
##   datadir DOCDIR LIBDIR INCLUDEDIR ZSHDIR
.PHONY: install uninstall check-install
install: all
	@set -e; for pair in $(INSTALLED); do \
	    from=$${pair%%:*} to=$$DESTDIR$${pair#*:} mode=644; \
	    if [ -x "$$from" ]; then mode=755; fi; \
	    mkdir -p "$${to%/*}"; install -m $$mode "$$from" "$$to"; \
	    case $$to in *.pc) printf '%s\n' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' | \
	        cat - "$$from" >"$$to";; esac; \
	done
uninstall:
	@set -e; for pair in $(INSTALLED); do rm -f "$$DESTDIR$${pair#*:}"; done
	@for folder in $(DOCDIR)/examples $(DOCDIR); do rmdir "$$DESTDIR$$folder" 2>/dev/null || true; done
## check-install: install into a temporary root, run each tool, uninstall
check-install: ready
	@$(RUN) tests/meta/install.sh

## dist: a reproducible source archive of the last commit in BUILD
.PHONY: dist
dist:
	@mkdir -p $(BUILD)
	git -c tar.umask=0022 archive --format=tar --prefix=evetools-$(VERSION)/ -o $(BUILD)/dist.tar HEAD
	gzip -9n <$(BUILD)/dist.tar >$(BUILD)/evetools-$(VERSION).tar.gz
	@rm $(BUILD)/dist.tar

## clean: remove what was built
.PHONY: clean
clean:
	rm -rf $(addprefix $(BUILD)/,release dev asan cov lint fuzz full reference evetools-*.tar.gz)
	@rmdir $(BUILD) 2>/dev/null || true

## help: this list
.PHONY: help
help:
	@sed -n 's/^## //p' Makefile

# For scripts: `make print-TOOLS` shows a variable.
print-%:
	@printf '%s\n' '$($*)'
