import Core
import Testing

@Suite struct TerminalSizeTests {
    @Test(arguments: [(80, 24), (1, 1), (10_000, 100), (100, 10_000), (1000, 1000)])
    func `a size has at most a million cells`(columns: Int, rows: Int) throws {
        let size = try #require(TerminalSize(columns: columns, rows: rows))
        #expect(try TerminalSize(parsing: "\(columns)x\(rows)") == size)
    }

    @Test(arguments: [(10_000, 10_000), (1001, 1000), (10_001, 1), (0, 24), (80, -1), (Int.max, Int.max)])
    func `rejects a size that is out of range`(columns: Int, rows: Int) {
        #expect(TerminalSize(columns: columns, rows: rows) == nil)
        let error = #expect(throws: VTError.self) { try TerminalSize(parsing: "\(columns)x\(rows)") }
        #expect(error?.code == .usage)
    }
}
