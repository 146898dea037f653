import Core
import Foundation
import Terminal
import Testing

/// The state after each step of fixtures in the format of vt100-rust: text, cells, cursor and modes.
struct VT100Tests {
    static let fixtures = Fixture.all(own: "vt100", others: "vt100/fixtures").filter { !$0.name.hasSuffix(".in") }

    @Test(arguments: fixtures)
    func `the state after each step matches`(_ fixture: Fixture) throws {
        var emulator = Emulator(size: try TerminalSize(parsing: "80x24"))
        for step in 1...fixture.files.filter({ $0.hasSuffix(".typescript") }).count {
            emulator.feed(try fixture.bytes("/\(step).typescript"))
            let data = Data(try fixture.bytes("/\(step).json"))
            let expected = try JSONDecoder().decode(VT100State.self, from: data)
            let state = VT100State(emulator)
            let differs = !fixture.isOwn && VT100Differences.reason(for: fixture.name, step) != nil
            let found = state.differences(from: expected, at: "\(fixture.name)/\(step)")
            #expect(found.isEmpty != differs, "\(found)")
        }
    }
}
