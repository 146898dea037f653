import Core
import Foundation
import SessionHost
import TestSupport
import Testing

/// Sessions on a full disk: a tmpfs in a mount namespace that disappears with its last process.
struct FullDiskTests {
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
        let result = try await call.run(deadline: .seconds(120))
        #expect(result.text.hasPrefix("status 7\n"), "\(result.errorText)")
        #expect(result.text.contains(#""state" : "exited""#))
        #expect(result.text.hasSuffix(#""x",{"code":7}]"# + "\n"))
    }
}
