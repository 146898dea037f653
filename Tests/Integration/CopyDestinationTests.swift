import Foundation
import TestSupport
import Testing

/// How `vt copy` handles existing files, and misbehaving sources and servers.
@Suite(.crowded)
struct CopyDestinationTests {
    /// Runs a bash script in the home directory of `vt`, with the directory of the server as `$1`.
    private func run(_ lab: Lab, _ script: String) async throws -> ProgramResult {
        try await lab.vt.bash("set -e; cd; \(script)", lab.server.home)
    }

    @Test func `a FIFO, a device or a socket is not replaced`() async throws {
        let lab = try await Lab()
        let script = """
            echo a >a; echo a >$1/a; mkfifo fifo $1/fifo; mkdir d $1/d; mkfifo d/a $1/d/a
            vt copy p:$1/a fifo || echo $?; vt copy a p:$1/fifo || echo $?; vt copy - p:$1/fifo <a || echo $?
            vt copy p:$1/a /dev/null || echo $?
            vt copy p:$1/a d || echo $?; vt copy a p:$1/d || echo $?
            stat -c %F fifo $1/fifo d/a $1/d/a | uniq -c | tr -s ' '; stat -c %F /dev/null
            """
        let result = try await run(lab, script)
        let expected = String(repeating: "73\n", count: 6) + " 4 fifo\ncharacter special file\n"
        #expect(result.text == expected, "\(result.errorText)")
        #expect(result.errorText.contains("'fifo' is not a regular file"))
    }

    @Test func `a directory that is to contain a copied directory is created`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir t; echo a >t/a; echo f >f
            for dest in resumed slash/; do for run in 1 2; do
                case $dest in resumed) option=--resume;; *) option=; esac
                vt copy -r $option t p:$1/$dest; vt copy -r $option p:$1/$dest/t $dest
            done; done
            vt copy -r t plain
            vt copy -r --resume t/. contents
            vt copy -r t t/in/ || echo $?; vt copy -r --resume t f || echo $?; vt copy f none/ || echo $?
            (cd $1; find resumed slash -type f | sort); find resumed slash plain contents t -type f | sort; ls t; cat f
            """
        let result = try await run(lab, script)
        let lines = """
            64 73 66 resumed/t/a slash/t/a contents/a plain/a resumed/t/a slash/t/a t/a a f
            """
        #expect(
            result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == lines,
            "\(result.errorText)"
        )
    }

    /// The names of a server, of this machine, and of a server without SFTP.
    @Test(arguments: ["p:", "", "v:"])
    func `missing parent directories are created on request`(machine: String) async throws {
        let lab = try await Lab()
        try await lab.vt.check("profile", "add", "v", "--via", "env")
        let script = """
            case '\(machine)' in p:) root=$1;; *) root=$PWD;; esac
            mkdir t; echo a >t/a; echo f >f; echo g >g
            to="\(machine)$root"
            vt copy f $to/n/f 2>&1 | tail -1
            vt copy --parents f $to/n1/n2/f; vt copy --parents f $to/n3/n4/; vt copy --parents f g $to/n5/n6
            vt copy --parents -r t $to/n7/t2; vt copy --parents -r t $to/n8/; vt copy --parents - $to/n9/f <f
            vt copy --parents f $to/n1/n2/; vt copy --parents f $to/n9/f/in 2>/dev/null || echo $?
            cd $root; find n[1-9] -type f | sort
            """
        let result = try await run(lab, script)
        let expected = """
            hint: add --parents to create missing directories 73 n1/n2/f n3/n4/f n5/n6/f n5/n6/g n7/t2/a n8/t/a n9/f
            """
        let text = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text == expected, "\(result.errorText)")
    }

    @Test(arguments: ["p:", "", "v:"])
    func `a file in place of a parent directory is named`(machine: String) async throws {
        let lab = try await Lab()
        try await lab.vt.check("profile", "add", "v", "--via", "env")
        let script = """
            case '\(machine)' in p:) root=$1;; *) root=$PWD;; esac
            mkdir t; echo f >f; echo g >$root/g; to="\(machine)$root"
            for words in "f $to/g/z" "- $to/g/z" "--resume f $to/g/y/z" "f $to/g/" "-r t $to/g/z/"; do
                vt copy $words <f || echo $?
            done
            vt copy --parents f $to/g/z || echo $?; vt copy --parents -r t $to/g/y/z/ || echo $?
            vt copy --parents f $to/g/ || echo $?
            echo "$root" >&2
            """
        let result = try await run(lab, script)
        #expect(result.text == String(repeating: "73\n", count: 8))
        let errors = result.errorText.split(separator: "\n").map(String.init)
        let root = try #require(errors.last)
        let expected =
            ["g/z", "g/z", "g/y/z", "g/", "g/z/"].map {
                "vt: cannot create '\(root)/\($0)': '\(root)/g' is not a directory"
            } + Array(repeating: "vt: '\(root)/g' exists and is not a directory", count: 3)
        // Before the errors, the new host key of the server is reported.
        #expect(errors.dropLast().suffix(expected.count) == expected[...])
    }

    @Test func `an error names the destination, not the temporary file`() async throws {
        let lab = try await Lab()
        let script = """
            echo a >a; vt copy a p:$1/none/a || echo $?; vt copy a none/a || echo $?
            vt copy - p:$1/none/b <a || echo $?; vt copy --resume a p:$1/none/c || echo $?
            """
        let result = try await run(lab, script)
        #expect(result.text == "66\n66\n66\n66\n", "\(result.errorText)")
        let expected = [
            "\(lab.server.home)/none/a", "none/a", "\(lab.server.home)/none/b", "\(lab.server.home)/none/c",
        ]
        .map {
            "vt: cannot create '\($0)': the directory '\($0.dropLast(2))' does not exist\n"
                + "hint: add --parents to create missing directories\n"
        }
        #expect(result.errorText.hasSuffix(expected.joined()), "\(result.errorText)")
    }

    @Test func `a limit of the file size fails the copy, and leaves the old file`() async throws {
        let lab = try await Lab()
        let script = """
            head -c 100000 /dev/zero >$1/a; echo old >b; ulimit -f 10
            vt copy p:$1/a b || echo $?; vt exec p "cat $1/a" >c || echo $?; vt profile edit p --note n; ls -A; cat b
            vt exec local 'head -c 20000 /dev/zero >d' || echo $?
            """
        let result = try await run(lab, script)
        #expect(result.text == "74\n255\nb\nc\nold\n153\n", "\(result.errorText)")
        #expect(result.errorText.contains("'b': file too large"), "\(result.errorText)")
    }

    @Test func `a symbolic link as the destination remains, and its target is replaced`() async throws {
        let lab = try await Lab()
        let script = """
            echo a >a; echo b >file; ln -s file link; mkdir $1/d; echo b >$1/d/file; ln -s d/file $1/link
            vt copy p:$1/link c; vt copy a p:$1/link; vt copy p:$1/link link; vt copy - p:$1/link <c
            readlink link $1/link; cat file $1/d/file
            """
        let result = try await run(lab, script)
        #expect(result.text == "file\nd/file\na\nb\n", "\(result.errorText)")
    }

    @Test func `a dangling symbolic link as the destination remains, and its target is created`() async throws {
        let lab = try await Lab()
        let script = """
            echo a >a; mkdir d $1/d; ln -s file link; ln -s d/file $1/link; ln -s $PWD/d/file absolute
            vt copy a p:$1/link; vt copy p:$1/link link; vt copy - absolute <a
            readlink link $1/link; cat file $1/d/file d/file
            """
        let result = try await run(lab, script)
        #expect(result.text == "file\nd/file\na\na\na\n", "\(result.errorText)")
    }

    @Test func `a directory is not copied into itself`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir -p d/in $1/d e; echo a >d/a; echo a >$1/d/a; ln -s $PWD/d link
            vt copy -r d d/in || echo $?; vt copy -r d d/new || echo $?; vt copy -r ./d/. link/in/new || echo $?
            vt copy -r p:$1/d p:$1/d/new || echo $?; vt copy -r d e dd || echo $?
            vt copy -r d d2; vt copy -r p:$1/d p:$1/d2; find d $1/d | wc -l; cat d2/a $1/d2/a
            """
        let result = try await run(lab, script)
        #expect(result.text == "64\n64\n64\n64\n64\n5\na\na\n", "\(result.errorText)")
        #expect(result.errorText.contains("cannot copy the directory 'd' into itself, as 'd/in/d'"))
    }

    @Test func `two sources with the same name do not replace each other`() async throws {
        let lab = try await Lab()
        let script = """
            mkdir a b dd; echo a >a/x; echo b >b/x
            vt copy a/x b/x dd || echo $?; vt copy a/x b/x p:$1 || echo $?; cat dd/x $1/x; ls -A dd
            """
        let result = try await run(lab, script)
        #expect(result.text == "1\n1\na\na\nx\n", "\(result.errorText)")
        #expect(result.errorText.contains("'b/x' would replace the copy of 'a/x', which has the same name"))
    }

    @Test func `a replaced file keeps its permissions, and a copy has no set-user-ID bit`() async throws {
        let lab = try await Lab()
        let script = """
            umask 022; echo a >a; echo b >$1/b; chmod 600 $1/b; vt copy a p:$1/b; stat -c %a $1/b
            vt copy - p:$1/b <a; stat -c %a $1/b; chmod 640 a; vt copy -p a p:$1/b; stat -c %a $1/b
            chmod 6755 a; vt copy -p a p:$1/c; vt copy a p:$1/d; stat -c %a $1/c $1/d
            mkdir -p t/x; echo x >t/x/x; chmod 555 t/x; vt copy -r t p:$1/t; stat -c %a $1/t $1/t/x; cat $1/t/x/x
            """
        let result = try await run(lab, script)
        #expect(result.text == "600\n600\n640\n755\n755\n755\n555\nx\n", "\(result.errorText)")
    }

    /// The owner's permission to execute changes while further sessions open the file.
    @Test func `an incomplete copy with --preserve is as private as its source`() async throws {
        let lab = try await Lab()
        let script = """
            umask 022; head -c 300000000 /dev/urandom >a; chmod 600 a; echo b >$1/b; chmod 644 $1/b
            vt copy -p a p:$1/b & until ls -A $1 | grep -q vt-; do :; done; stat -c %a $1/.b.vt-* | sed s/7/6/; wait $!
            stat -c %a $1/b
            """
        let result = try await run(lab, script)
        #expect(result.text == "600\n600\n", "\(result.errorText)")
    }

    @Test func `a source that becomes shorter is an error`() async throws {
        let lab = try await Lab()
        let script = """
            head -c 300000000 /dev/urandom >b
            vt copy b p:$1/b & until ls -A $1 | grep -q vt-; do :; done; truncate -s 1000 b; wait $! || echo $?; ls -A $1
            vt copy /sys/kernel/mm/transparent_hugepage/enabled p:$1/c && wc -l <$1/c
            """
        let result = try await run(lab, script)
        #expect(result.text == "74\n1\n", "\(result.errorText)")
        #expect(result.errorText.contains("'b' shrank while it was being copied"))
    }

    @Test func `a server without SFTP, or whose SFTP does not answer, is reported`() async throws {
        let silent = try await Lab(.init(lines: ["Subsystem sftp /bin/sleep 1000"], hasFiles: false))
        let late = try await run(silent, "echo a >a; vt copy --connect-timeout 1s a p:b || echo $?")
        #expect(late.text == "69\n")
        #expect(late.errorText.contains("the SFTP server of 'p' did not answer within 1s"), "\(late.errorText)")
        let none = try await Lab(.init(hasFiles: false))
        let missing = try await run(none, "echo a >a; vt copy a p:b || echo $?")
        #expect(missing.text == "76\n")
        #expect(missing.errorText.contains("cannot start the subsystem 'sftp' on 'p'"), "\(missing.errorText)")
    }

    @Test func `failures are reported even with --quiet`() async throws {
        let lab = try await Lab()
        try await lab.addProfile("down", port: LoopbackPort.free())
        let program = try await SmallProgram.path()
        let script = """
            echo a >a; vt copy -q a p,down:$1/ || vt exec -q p,down true \
                || vt install -q p,down --file \(program) --path $1/true >/dev/null || echo $?
            """
        let result = try await run(lab, script)
        #expect(result.text == "1\n")
        #expect(result.errorText.components(separatedBy: "1 of 2 targets failed").count == 4, "\(result.errorText)")
    }
}
