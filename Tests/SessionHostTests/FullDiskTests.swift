import Core
import Foundation
import SessionHost
import TestSupport
import Testing

/// Sessions on a full disk: a tmpfs in a mount namespace that disappears with its last process.
@Suite(.asRoot) struct FullDiskTests {
    /// Creates a session on such a disk, fills the disk, lets the program exit, and prints what vt has recorded.
    private static let line = """
        set -e
        mount -t tmpfs -o size=1m,nr_inodes=1000,mode=700 tmpfs "$VT_HOME"
        vt sessions create build --size 80x24 -- \
            sh -c 'read line; head -c "$line" /dev/zero; read line; exit 7' "$1" >/dev/null
        head -c 2m /dev/zero >"$VT_HOME/filler" 2>/dev/null || true
        vt sessions send build "$2" --enter >/dev/null
        vt sessions wait build --idle 300ms >/dev/null
        vt sessions send build --enter >/dev/null
        vt sessions wait build --exit || echo "status $?"
        vt sessions show build --json
        tail -n 1 "$VT_HOME"/sessions/*/events
        """

    /// Creates a session whose log stops, and shows what is reported about output after that.
    private static let stoppedLine = """
        set -e
        reach() { until vt sessions show build --json | grep -q "output_bytes.:$1,"; do sleep 0.02; done; }
        mount -t tmpfs -o size=600k,mode=700 tmpfs "$VT_HOME"
        vt sessions create build -- \
            sh -c 'stty -echo; printf up; read x; seq 20000; read x; printf last; sleep 1000' >/dev/null
        reach 2
        head -c 1m /dev/zero >"$VT_HOME/filler" 2>/dev/null || true
        vt sessions send build go --enter >/dev/null
        reach 128896
        vt sessions wait build --idle 100ms
        rm "$VT_HOME/filler"
        at=$(vt sessions send build go --enter)
        reach 128900
        vt sessions wait build --idle 100ms
        echo from $at
        vt sessions logs build --from $at
        vt sessions wait build --match last --from $at --timeout 300ms || echo "status $?"
        vt sessions kill build >/dev/null
        """

    @Test func `reports output after the log has stopped`() async throws {
        let vt = try Vt()
        try FileManager.default.createDirectory(atPath: vt.stateHome, withIntermediateDirectories: true)
        var call = ProgramCall(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "bash", "-c", Self.stoppedLine]
        )
        call.environment.merge(vt.environment) { $1 }
        let result = try await call.run()
        // seq prints 108,894 bytes, and the terminal adds 20,000 carriage returns.
        #expect(result.text == "128896\n128900\nfrom 128896\nstatus 124\n", "\(result.errorText)")
        let errors = result.errorText
        #expect(errors.contains("vt: output from offset 128896 to 128900 is not in the log\n"), "\(errors)")
        #expect(errors.contains(/vt: output of 'build' from offset [0-9]+ to 128900 was not logged\n/), "\(errors)")
    }

    /// `length` determines the size of the record: larger records nearly fill a block, and the data added at the end
    /// exceeds it.
    @Test(arguments: [10, 3370, 3470], [1, 600_000])
    func `records the exit status on a full disk`(length: Int, output: Int) async throws {
        let vt = try Vt()
        try FileManager.default.createDirectory(atPath: vt.stateHome, withIntermediateDirectories: true)
        var call = ProgramCall(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "bash", "-c", Self.line, "sh"]
        )
        call.arguments += [String(repeating: "t", count: length), "\(output)"].map { Array($0.utf8) }
        call.environment.merge(vt.environment) { $1 }
        let result = try await call.run()
        #expect(result.text.hasPrefix("status 7\n"), "\(result.errorText)")
        #expect(result.text.contains(#""state":"exited""#))
        #expect(result.text.hasSuffix(#""x",{"code":7}]"# + "\n"))
    }
}
