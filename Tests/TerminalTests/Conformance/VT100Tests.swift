import Core
import Foundation
import Terminal
import Testing

/// The states after each step of the fixtures of vt100-rust: text, cells, cursor and modes.
struct VT100Tests {
    static let names: [String] = ConformanceFolder.names(in: "vt100/fixtures").filter { !$0.hasSuffix(".in") }

    @Test(arguments: names)
    func `the state after each step is the same`(_ name: String) throws {
        var emulator = Emulator(size: try TerminalSize(parsing: "80x24"))
        let files = ConformanceFolder.names(in: "vt100/fixtures/\(name)")
        let steps = files.filter { $0.hasSuffix(".typescript") }.count
        for step in 1...steps {
            let path = "vt100/fixtures/\(name)/\(step)"
            emulator.feed(try ConformanceFolder.bytes("\(path).typescript"))
            let data = Data(try ConformanceFolder.bytes("\(path).json"))
            let expected = try JSONDecoder().decode(VT100State.self, from: data)
            let state = VT100State(emulator)
            let differs = VT100Differences.reason(for: name, step) != nil
            #expect(state.differences(from: expected, at: "\(name)/\(step)").isEmpty != differs)
        }
    }
}
