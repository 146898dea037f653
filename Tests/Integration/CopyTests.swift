import Foundation
import TestSupport
import Testing

/// `vt copy` with an OpenSSH server.
@Suite(.crowded)
struct CopyTests {
    /// Runs a line of bash in the home directory of `vt`, with the directory of the server as `$1`.
    private func run(_ lab: Lab, _ line: String, deadline: Duration = .patience) async throws -> ProgramResult {
        try await lab.vt.bash("set -e; cd; \(line)", lab.server.home, deadline: deadline)
    }

    @Test func `a file survives a round trip, with its permissions and times`() async throws {
        let lab = try await Lab()
        let script = """
            head -c 20000001 /dev/urandom >a; chmod 751 a; touch -d 2001-02-03T04:05:06Z a
            vt copy -p a p:$1/
            vt copy -p p:$1/a b
            cmp a b; cmp a $1/a
            stat -c '%a %Y' $1/a b
            """
        let result = try await run(lab, script)
        #expect(result.text == "751 981173106\n751 981173106\n", "\(result.errorText)")
    }

    /// A tree with empty and large files, links, holes and names containing any bytes.
    private static let makeTree = #"""
        mkdir -p t/empty t/d/e; : >t/zero; head -c 700000 /dev/urandom >t/d/big
        for i in $(seq 200); do echo $i >t/d/e/$i; done
        echo x >"t/$(printf 'n\nl')"; echo y >"t/$(printf '\377')"; echo z >t/-r
        ln -s d/big t/link; ln -s /nowhere t/dangling; truncate -s 40M t/holes; echo end >>t/holes
        chmod 500 t/d/e; chmod 640 t/d/big; touch -h -d 2011-01-01Z t/link; touch -d 2010-01-01Z t/zero t/d t

        """#

    @Test func `a tree survives a round trip`() async throws {
        let lab = try await Lab()
        let copies = #"""
            vt copy -r --preserve t p:$1/far; vt copy -r --preserve p:$1/far near
            diff -r --no-dereference t near
            list() { (cd $1; find . -type l -printf '%P %l\0' -o -printf '%P %m %Ts\0' | sort -z | sha256sum); }
            test "$(list t)" = "$(list $1/far)"; test "$(list t)" = "$(list near)"
            test $(du -k near/holes | cut -f1) -lt 1000; test $(du -k $1/far/holes | cut -f1) -lt 1000
            find $1 near -name '*.vt-*'
            """#
        let result = try await run(lab, Self.makeTree + copies)
        #expect(result.status == .exited(0) && result.text == "", "\(result.errorText)")
    }

    @Test func `several files are copied into a directory, and failures do not stop the others`() async throws {
        let lab = try await Lab()
        let script = "echo a >a; echo b >b; mkfifo f; mkdir $1/d; vt copy a f none b p:$1/d || echo $?; ls $1/d"
        let result = try await run(lab, script)
        #expect(result.text == "1\na\nb\n")
        #expect(result.errorText.hasSuffix("vt: 2 files not copied\n"), "\(result.errorText)")
        let single = try await run(lab, "vt copy none p:$1/d || echo $?; vt copy a b p:$1/c || echo $?")
        #expect(single.text == "66\n64\n", "\(single.errorText)")
        let directory = try await run(lab, "vt copy p:$1/d . || echo $?")
        #expect(directory.text == "64\n", "\(directory.errorText)")
    }

    @Test func `an interrupted copy leaves only the old file`() async throws {
        let lab = try await Lab()
        // A shell without job control makes its background jobs ignore INT.
        let script = """
            echo old >$1/a; head -c 300000000 /dev/zero | tr '\\0' x >a
            vt copy a p:$1/a & until ls -A $1 | grep -q vt-; do sleep 0.02; done; kill -TERM $!; wait $! || true
            ls -A $1; head -c 4 $1/a
            """
        let result = try await run(lab, script)
        #expect(result.text == "a\nold\n", "\(result.text)\(result.errorText)")
    }

    @Test func `files are copied from one server to another`() async throws {
        let lab = try await Lab()
        let other = try await OpenSSHServer()
        let address = "\(other.user)@127.0.0.1:\(other.port)"
        let key = other.userKeys.path(.ed25519)
        try await lab.vt.check("profile", "add", "q", address, "--identity", key, "--no-agent")
        let script = Self.makeTree + "cp -a t $1/t; vt copy -r p:$1/t q:$2/; diff -r --no-dereference t $2/t"
        let result = try await lab.vt.bash("set -e; cd; \(script)", lab.server.home, other.home)
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test func `an interrupted copy is resumed`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir t; for i in $(seq 300); do head -c 3000 /dev/urandom >t/$i; done; head -c 60000000 /dev/urandom >t/big
            for delay in 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4; do timeout -s KILL $delay vt copy -r --resume t p:$1/ || true; done
            for name in $(ls $1/t); do cmp t/$name $1/t/$name; done
            vt copy -r --resume t p:$1/
            vt copy --json -r --resume t p:$1/ | jq -r .event | sort | uniq -c
            diff -r t $1/t; find $1 -name '*.vt-*'
            """
        let result = try await run(lab, script)
        let words = result.text.split(whereSeparator: \.isWhitespace)
        #expect(words == ["302", "skipped"], "\(result.text)\(result.errorText)")
    }

    @Test func `a copy is not resumed with another version of the source`() async throws {
        let lab = try await Lab()
        // The versions differ only in their contents and, on this machine, in their inodes.
        let script = """
            replace() {
                head -c 200000000 /dev/urandom >$1.new; touch -d "$2" $1.new; mv $1.new $1
            }
            copy() {
                vt copy --resume $1 $2 & until [ "$(cat $3/.b.vt-* 2>/dev/null | wc -c)" -gt 32000000 ]; do kill -0 $!; done
                kill -TERM $!; wait $! || true; test ! -e $3/b; replace $4 "$5"
                vt copy --resume $1 $2; cmp $4 $3/b
            }
            replace a 2001-02-03; copy a p:$1/b $1 a 2001-02-03
            later=$(date -d 'now + 1 hour'); replace $1/a "$later"; copy p:$1/a b . $1/a "$later"
            """
        let result = try await run(lab, script)
        #expect(result.status == .exited(0), "\(result.text)\(result.errorText)")
    }

    @Test func `a pattern in a path on a server selects files`() async throws {
        let lab = try await Lab()
        let script = #"""
            mkdir -p $1/l1 $1/l2 near; echo a >$1/l1/a.log; echo b >$1/l2/b.log; echo c >$1/l2/.c.log; echo '*' >"$1/x*"
            echo x >$1/xy
            vt copy "p:$1/l?/*.log" near; ls -A near
            vt cat "p:$1/l?/*.log" "p:$1/x*"
            vt copy "p:$1/*.none" near || echo $?
            """#
        let result = try await run(lab, script)
        #expect(result.text == "a.log\nb.log\na\nb\n*\n66\n", "\(result.errorText)")
    }

    @Test func `standard input and output are copied`() async throws {
        let lab = try await Lab()
        let script = """
            head -c 9000001 /dev/urandom >a
            cat a | vt copy - p:$1/b; cmp a $1/b
            vt copy p:$1/b - | cmp - a
            vt copy - p:$1 <a || echo $?; vt copy - a p:$1 || echo $?
            printf '' | vt copy - p:$1/empty; stat -c %s $1/empty; vt copy - p:$1/none <&- || echo $?; ls -A $1
            """
        let result = try await run(lab, script)
        #expect(result.text == "73\n64\n0\n74\nb\nempty\n", "\(result.errorText)")
        #expect(result.errorText.contains("vt: cannot read standard input: bad file descriptor"))
    }

    @Test func `an interrupted copy of standard input leaves no file`() async throws {
        let lab = try await Lab()
        let script = """
            mkfifo input; vt copy - p:$1/b <input 3>&- & exec 3>input; printf abc >&3
            until ls -A $1 | grep -q vt-; do sleep 0.02; done
            kill -TERM $!; wait $! || true; ls -A $1
            """
        #expect(try await run(lab, script).text == "")
    }

    /// The second server has only SFTP, so that vt must read the files to compute their checksums.
    @Test(arguments: [[], ["ForceCommand internal-sftp"]])
    func `files are compared and verified by checksum`(lines: [String]) async throws {
        let lab = try await Lab(.init(lines: lines))
        let script = """
            mkdir -p t; echo a >t/a; echo b >t/b; head -c 5000000 /dev/urandom >t/c; echo 'q' >"t/it's"; touch -d 2020-01-01 t
            vt copy -r -p t p:$1/; touch t/a; echo B >t/b; touch -r $1/t/b t/b
            vt copy --json -r --checksum t/. p:$1/t | jq -r '[.event, .source] | @text' | sort
            diff -r t $1/t
            vt copy --json -r -p --checksum t/. p:$1/t | jq -r .event | sort | uniq -c | tr -s ' '
            test $(stat -c %Y t/a) = $(stat -c %Y $1/t/a)
            vt copy --json -c p:$1/t/c p:$1/t/b near | jq -r .event
            mkdir near; vt copy -c p:$1/t/c p:$1/t/b near; vt copy --json -c p:$1/t/c p:$1/t/b near | jq -r .event
            """
        let result = try await run(lab, "set +e; " + script)
        let lines = [
            #"["copied","t/./b"]"#, #"["skipped","t/."]"#, #"["skipped","t/./a"]"#, #"["skipped","t/./c"]"#,
            #"["skipped","t/./it's"]"#, " 1 copied", " 4 skipped", "skipped", "skipped",
        ]
        #expect(result.text.split(separator: "\n").map(String.init) == lines, "\(result.errorText)")
    }

    @Test func `a source that changes during a copy with --checksum is an error`() async throws {
        let lab = try await Lab()
        // This file has different contents each time.
        let script = "vt copy --checksum /proc/sys/kernel/random/uuid p:$1/u || echo $?; ls -A $1"
        let result = try await run(lab, script)
        #expect(result.text == "74\n", "\(result.errorText)")
        #expect(result.errorText.contains("differs from its source"))
    }

    @Test func `a directory or a link that is already complete is skipped, like a file`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir -p t/d t/e; echo a >t/d/a; ln -s a t/d/same; ln -s a t/d/other; chmod 700 t/e
            events() { vt copy --json -r --resume t "$1" | jq -r '.event + " " + .source' | sort; }
            events p:$1/x | cut -d ' ' -f 1 | uniq -c | tr -s ' '
            ln -sf b $1/x/t/d/other; chmod 755 $1/x/t/e; touch $1/x/t/d -r t/d
            events p:$1/x; events p:$1/x | cut -d ' ' -f 1 | uniq -c | tr -s ' '
            """
        let result = try await run(lab, script)
        let lines = [
            " 6 copied", "copied t/d/other", "copied t/e", "skipped t", "skipped t/d", "skipped t/d/a",
            "skipped t/d/same", " 6 skipped",
        ]
        #expect(result.text.split(separator: "\n").map(String.init) == lines, "\(result.errorText)")
    }

    @Test func `each file is an event with --json`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir -p t/d; echo a >t/d/a
            vt copy --json -r t p:$1/ | jq -c '[.event, .kind, .size_bytes]' | sort
            mkdir u; touch u/$'\\xe9'
            vt copy --json -r u v | jq -c '[.source, .source_base64, .destination_base64]' | sort
            """
        let result = try await run(lab, script)
        let directory = #"["copied","directory",null]"# + "\n"
        let tree = directory + directory + #"["copied","file",2]"# + "\n"
        // u/\xe9 and v/\xe9.
        let names = #"["u",null,null]"# + "\n" + #"["u/\#u{fffd}","dS/p","di/p"]"# + "\n"
        #expect(result.text == tree + names, "\(result.errorText)")
    }

    @Test func `a listing cannot lead outside the destination`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir -p $1/t/d out near/t; echo a >$1/t/d/a; ln -s ~/out near/t/d
            vt copy -r p:$1/t near || echo $?; ls out
            """
        let result = try await run(lab, script)
        #expect(result.text == "1\n", "\(result.errorText)")
    }
}
