import Arguments
import Core
import Testing

/// Conversion of option values to types.
@Suite struct ParsedValueTests {
    private func given(_ value: String) throws -> ParsedArguments {
        try arguments("typed --value \(value)", SampleTree.typed)
    }

    private func message(_ body: () throws -> Void) throws -> String {
        try #require(throws: VTError.self) { try body() }.message
    }

    @Test func `an option that is not given has no value`() throws {
        let arguments = try arguments("typed", SampleTree.typed)
        #expect(try arguments.duration("value") == nil)
        #expect(try arguments.number("value", in: 1...9) == nil)
        #expect(try arguments.tags("value") == [])
    }

    @Test func `parses values of every type`() throws {
        #expect(try given("5m").duration("value") == .seconds(300))
        #expect(try given("64K").size("value") == 65_536)
        #expect(try given("9").number("value", in: 1...9) == 9)
        #expect(try given("0.5").factor("value", in: 0.1...10) == 0.5)
        #expect(try given("18446744073709551615").offset("value") == .max)
        #expect(try given("22").port("value") == 22)
        #expect(try given("ann").user("value") == "ann")
        #expect(try given("a-b").tags("value") == ["a-b"])
        #expect(try given("100x30").terminalSize("value") == TerminalSize(columns: 100, rows: 30))
        #expect(try given("A=b").variables("value").map(\.name) == ["A"])
        #expect(try given("A_*").variablePatterns("value") == ["A_*"])
    }

    @Test(arguments: ["0", "10", "+5", "-1", "5.0", "x", "''", "99999999999999999999"])
    func `an invalid number is reported with the valid range`(value: String) throws {
        let arguments = try given(value)
        let text = value == "''" ? "" : value
        let message = try message { _ = try arguments.number("value", in: 1...9) }
        #expect(message == "--value: '\(text)' is not a number from 1 to 9")
    }

    @Test(arguments: ["0", "1e1", "inf", "nan", "0x1", "-1", "1.2.3"])
    func `a factor is a number in the range, with only digits and a decimal point`(value: String) throws {
        let arguments = try given(value)
        let message = try message { _ = try arguments.factor("value", in: 0.5...10) }
        #expect(message == "--value: '\(value)' is not a number from 0.5 to 10")
    }

    @Test func `a duration can have a minimum`() throws {
        let arguments = try given("50ms")
        let message = try message { _ = try arguments.duration("value", atLeast: .milliseconds(100)) }
        #expect(message == "--value: '50ms' is shorter than 100ms")
    }

    @Test(arguments: ["0", "65536", "+22", "ssh"])
    func `a port is a number from 1 to 65535`(value: String) throws {
        let arguments = try given(value)
        let error = try #require(throws: VTError.self) { try arguments.port("value") }
        #expect(error.message == "--value: invalid port '\(value)'")
        #expect(error.hint == "a port is a number from 1 to 65535")
    }

    @Test func `a hidden option is parsed but not documented`() throws {
        let tree = SampleTree.typed
        #expect(try arguments("typed --only-vt", tree).flag("only-vt"))
        let spec = try #require(tree.command(at: ["typed"]))
        #expect(!HelpText(tree, isLong: true).command(spec).contains("only-vt"))
        #expect(GeneratedFile.all(of: tree).allSatisfy { !$0.text.contains("only-vt") })
        #expect(try failure("typed --only-v", tree).hint == "see 'vt help typed'")
    }
}
