import Foundation
import TestSupport
import Testing

/// `vt copy` with SFTP servers of every kind; the contents of all copies are compared.
@Suite(.crowded)
struct FileServerTests {
    /// The steps, each of which prints its name and its messages if it fails.
    private static let steps = #"""
        attempt() {
            timeout -k 5 100 bash -c "$2" bash "$1" >log 2>&1 || { echo "failed: $2"; cat log; }
        }
        head -c 20000000 /dev/urandom >big; head -c 3000000 /dev/urandom >other; head -c 5000 /dev/zero >zeros
        mkdir -p t/d; for i in $(seq 60); do head -c $((i * 997)) /dev/urandom >t/$i; done; cp t/1 t/d; cp t/2 t/d
        attempt "$1" 'vt copy big p:$1/big && cmp big $1/big'
        attempt "$1" 'vt copy other p:$1/big && cmp other $1/big'
        attempt "$1" 'vt copy zeros p:$1/ && cmp zeros $1/zeros'
        attempt "$1" 'cat other | vt copy - p:$1/stream && cmp other $1/stream'
        attempt "$1" 'vt copy -r t p:$1/ && diff -r t $1/t'
        attempt "$1" 'vt copy -r t p:$1/ && diff -r t $1/t'
        attempt "$1" 'vt copy -r p:$1/t near && diff -r t near'
        attempt "$1" 'cp big $1/source && vt copy p:$1/source got && cmp big got'
        attempt "$1" '
            vt copy --resume big p:$1/resumed & copy=$!
            until ls -A $1 | grep -q vt-; do kill -0 $copy || break; done
            kill -KILL $copy; wait $copy; vt copy --resume big p:$1/resumed && cmp big $1/resumed
            vt copy --resume --json big p:$1/resumed | grep -q skipped'
        attempt "$1" '
            chmod 640 other; touch -d 2001-02-03T04:05:06Z other
            vt copy -p other p:$1/kept; cmp other $1/kept; test "$(stat -c "%a %Y" $1/kept)" = "640 981173106"'
        attempt "$1" '
            mkdir l; cp other l/a; ln -s a l/link; ln -s "$PWD/other" l/absolute; vt copy -r l p:$1/
            cmp other $1/l/link; cmp other $1/l/absolute; test $(ls -A $1/l | wc -l) = 3
            vt copy -r l p:$1/; cmp other $1/l/link; test -L $1/l/link'
        attempt "$1" '
            export VT_SHARE=60s
            vt copy big p:$1/one & first=$!; vt copy -r t p:$1/two & second=$!; vt copy p:$1/source three & third=$!
            wait $first && wait $second && wait $third; status=$?
            vt ls p:$1 >list && vt profile connections --close >list
            cmp big $1/one && diff -r t $1/two && cmp big three && exit $status'
        find . $1 -name '.*.vt-*'; ls $1
        rm -rf near got three l; rm -rf $1/*
        """#

    /// What the steps leave.
    private static let remains = "big\nkept\nl\none\nresumed\nsource\nstream\nt\ntwo\nzeros\n"

    @Test(arguments: FileServer.Kind.allCases)
    func `every way of copying delivers the contents`(_ kind: FileServer.Kind) async throws {
        let server = try await FileServer(kind)
        for _ in 0..<testRounds(1) {
            let result = try await server.vt.bash("cd; \(Self.steps)", server.home, deadline: .seconds(600))
            #expect(result.text == Self.remains, "\(result.errorText)")
        }
    }

    @Test(arguments: FileServer.Kind.allCases)
    func `an existing file can be overwritten, and a new one is as private as its source`(
        _ kind: FileServer.Kind
    ) async throws {
        let server = try await FileServer(kind)
        let script = """
            umask 022; echo old >$1/a; echo new >a; vt copy a p:$1/a; cat $1/a
            echo secret >s; chmod 600 s; vt copy s p:$1/s; stat -c %a $1/s
            head -c 30000000 /dev/zero | tr '\\0' x >big; chmod 600 big
            vt copy big p:$1/big & until ls -A $1 | grep -q big; do kill -0 $! || break; done
            wait $!; stat -c %a $1/big; echo '#!' >x; chmod 755 x; vt copy x p:$1/x; stat -c %a $1/x; ls $1; find $1 -name '.*.vt-*'
            """
        let result = try await server.run(script)
        #expect(result.text == "new\n600\n600\n755\na\nbig\ns\nx\n", "\(result.errorText)")
    }
}
