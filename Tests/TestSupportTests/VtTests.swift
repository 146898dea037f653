import Foundation
import TestSupport
import Testing

struct VtTests {
    @Test func `the environment contains only the fixture's variables`() async throws {
        let vt = try Vt()
        let result = try await ProgramCall("env", environment: vt.environment).run()
        let names = Set(result.text.split(separator: "\n").map { String($0.prefix { $0 != "=" }) })
        #expect(names == ["HOME", "LANG", "LOGNAME", "PATH", "USER", "VT_FIXTURE", "VT_HOME", "VT_SHARE"])
    }

    @Test func `vt is found in PATH`() async throws {
        let result = try await Vt().bash("command -v vt")
        #expect(result.text == "\(TestTree.vt)\n")
    }

    @Test func `kills a hanging program at the deadline`() async throws {
        let vt = try Vt()
        await #expect(throws: FixtureError.self) {
            try await vt.bash("sleep 1000 & wait", deadline: .milliseconds(50))
        }
        #expect(vt.processes.isEmpty)
    }

    @Test func `bytes pass through a program unchanged`() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761) }
        let result = try await ProgramCall("cat").run(input: bytes)
        #expect(result.output == bytes)
        #expect(result.status == .exited(0))
    }

    @Test func `detects termination by a signal`() async throws {
        let program = try ProgramCall("sleep", ["1000"]).start()
        program.signal(SIGTERM)
        #expect(try await program.wait() == .signalled(SIGTERM))
    }

    @Test func `the peak memory is that of the program alone`() async throws {
        let program = try ProgramCall("cat").start()
        try program.input.write("x")
        #expect(await program.output.read(atLeast: 1) == [UInt8(ascii: "x")])
        #expect(try program.peakResidentBytes() < 8 << 20)
    }
}
