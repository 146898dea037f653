import Foundation
import TestSupport
import Testing

/// `vt copy` of large files, which uses several SFTP sessions and connections.
@Suite(.crowded)
struct CopySessionTests {
    /// Runs a line of bash in the home directory of `vt`, with the directory of the server as `$1`.
    private func run(_ lab: Lab, _ line: String) async throws -> ProgramResult {
        try await lab.vt.bash("set -e; cd; \(line)", lab.server.home)
    }

    /// Makes a file of 300 MiB, `a`, with a hole and other contents.
    private static let makeFile = """
        head -c 100000000 /dev/urandom >a; truncate -s 200M a; head -c 104857599 /dev/urandom >>a
        chmod 640 a; touch -d 2001-02-03T04:05:06Z a

        """

    @Test(arguments: [0, 1, 5])
    func `a large file survives a round trip over several connections`(connections: Int) async throws {
        let lab = try await Lab(sharesConnections: false)
        let script = """
            vt copy -p --connections \(connections) a p:$1/b; vt copy -p --connections \(connections) p:$1/b c
            cmp a $1/b; cmp a c; stat -c '%a %Y' $1/b c; find . $1 -name '*.vt-*'
            """
        let result = try await run(lab, Self.makeFile + script)
        #expect(result.text == "640 981173106\n640 981173106\n", "\(result.errorText)")
        let logins = lab.server.log.matches(of: /Accepted publickey/).count
        #expect(logins == 2 + 2 * connections)
    }

    @Test func `further sessions keep the permissions of a new file`() async throws {
        let lab = try await Lab()
        let script = """
            umask 027; head -c 30000000 /dev/urandom >a; chmod 600 a; vt copy a p:$1/b; stat -c %a $1/b; cmp a $1/b
            chmod 755 a; vt copy a p:$1/c; stat -c %a $1/c
            """
        let result = try await run(lab, script)
        #expect(result.text.hasPrefix("600\n75"), "\(result.errorText)")
    }

    @Test func `a server that allows one session is enough`() async throws {
        let lab = try await Lab(.init(lines: ["MaxSessions 1"]), sharesConnections: false)
        let result = try await run(lab, Self.makeFile + "vt copy a p:$1/b; cmp a $1/b; vt copy p:$1/b c; cmp a c")
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test func `a copy over several connections is resumed`() async throws {
        let lab = try await Lab()
        let script = """
            vt copy --resume a p:$1/b & until [ "$(stat -c %s $1/.b.vt-* 2>/dev/null || echo 0)" -gt 150000000 ]
            do :; done; kill -TERM $!; wait $! || echo $?; test ! -e $1/b
            vt copy --resume a p:$1/b; cmp a $1/b; stat -c '%a %Y' $1/b; find $1 -name '.b.vt-*'
            """
        let result = try await run(lab, Self.makeFile + script)
        #expect(result.text == "143\n640 981173106\n", "\(result.errorText)")
    }
}
