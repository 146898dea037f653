import Foundation
import TestSupport
import Testing

/// `vt copy`, `vt ls` and `vt cat` through the standard streams of programs.
@Suite(.crowded)
struct ViaCopyTests {
    typealias Transport = ViaLab.Transport

    /// Runs a bash script in the home directory of `vt`, with the directory of the far end as `$1`.
    private func run(_ lab: ViaLab, _ transport: Transport, _ script: String) async throws -> ProgramResult {
        let home = transport == .chroot ? lab.root : transport == .ssh ? lab.serverHome : lab.home
        return try await lab.vt.bash("set -e; cd; \(script)", home)
    }

    @Test(arguments: Transport.allCases)
    func `a tree survives a round trip`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        let script = #"""
            mkdir -p t/empty t/d/e; : >t/zero; head -c 700000 /dev/urandom >t/d/big
            for i in $(seq 30); do echo $i >t/d/e/$i; done
            echo x >"t/$(printf 'n\nl')"; echo y >"t/$(printf '\377')"; echo z >t/-r; echo w >"t/it's \"so\" \$HOME"
            ln -s d/big t/link; ln -s /nowhere t/dangling; truncate -s 1M t/zeros; echo end >>t/zeros
            chmod 500 t/d/e; chmod 640 t/d/big; chmod 711 t/-r; touch -d 2010-01-01Z t/zero t/d t
            vt copy -r --preserve t p:far; vt copy -r --preserve p:far near
            diff -r --no-dereference t near; diff -r --no-dereference t $1/far
            list() { (cd $1; find . -type l -printf '%P %l\0' -o -printf '%P %m %Ts\0' | sort -z | sha256sum); }
            test "$(list t)" = "$(list $1/far)"; test "$(list t)" = "$(list near)"
            find $1 near -name '*.vt-*'
            """#
        let result = try await run(lab, transport, script)
        #expect(result.status == .exited(0) && result.text == "", "\(result.errorText)")
    }

    @Test(arguments: Transport.allCases)
    func `streams, patterns and listings work`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        let script = """
            head -c 3000001 /dev/urandom >a; vt copy - p:b <a; cmp a $1/b; vt copy p:b - | cmp - a; vt cat p:b | cmp - a
            mkdir $1/d; echo 1 >$1/d/1.log; echo 2 >$1/d/2.log; vt cat 'p:d/*.log'; vt ls --json p:d | jq -r '.[].name'
            vt copy p:missing . || echo $?; vt copy a p:missing/b || echo $?; vt copy a p:d/1.log/b || echo $?
            vt ls p:missing || echo $?
            """
        let result = try await run(lab, transport, script)
        #expect(result.text == "1\n2\n1.log\n2.log\n66\n66\n73\n66\n", "\(result.errorText)")
    }

    @Test(arguments: [Transport.env, .chroot])
    func `an interrupted copy is resumed in both directions`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        // A file that was modified a moment ago is not resumed. The incomplete file must be longer than the part of it
        // that is copied again. On a busy machine a copy may end before the shell looks at it: then the next one is
        // interrupted.
        let script = #"""
            head -c 200000000 /dev/urandom >a; touch -d 2020-01-01 a
            size() { stat -c %s $dir/.b.vt-* 2>/dev/null || echo 0; }
            interrupt() {
                until ls $dir/.b.vt-* >>partial 2>/dev/null; do
                    rm -f $dir/b; "$@" & while kill -0 $! 2>/dev/null && [ "$(size)" -le 100000000 ]; do :; done
                    kill -TERM $! || true; wait $! || true
                done
                test ! -e $dir/b; "$@"; cmp a $dir/b; find $dir -name '.b.vt-*'
            }
            dir=$1; interrupt vt copy --resume a p:b
            cp --preserve a $1/a; dir=.; interrupt vt copy --resume p:a b
            wc -l <partial
            """#
        let result = try await run(lab, transport, script)
        #expect(result.text == "2\n", "\(result.errorText)")
    }

    @Test func `a full disk is an error, and leaves no file`() async throws {
        let lab = try await ViaLab()
        try await lab.addProfile(
            "limited",
            "sh -c 'ulimit -f 100; trap \"\" XFSZ; exec \"$@\"' sh env HOME=\(lab.home)"
        )
        let script = "head -c 3000000 /dev/urandom >a; vt copy a limited:b || echo $?; ls -A $1"
        let result = try await run(lab, .env, script)
        #expect(result.text == "74\n", "\(result.errorText)")
        #expect(result.errorText.contains("cannot write"))
    }
}
