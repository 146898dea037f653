import Arguments
import Core
import Testing

/// Conversion of option values to types.
@Suite struct ParsedValueTests {
    private func value<Value: Sendable>(_ kind: ValueKind<Value>, _ text: String) throws -> Value? {
        let option = Option("value", kind, summary: "the value")
        return try call(["typed", "--value", ByteString(text)], tree(with: option))[option]
    }

    private func error<Value: Sendable>(_ kind: ValueKind<Value>, _ text: String) throws -> VTError {
        try failure(["typed", "--value", ByteString(text)], tree(with: Option("value", kind, summary: "the value")))
    }

    private func tree(with option: any CommandOption) -> CommandTree {
        SampleTree.tree(with: [CommandSpec(["typed"], summary: "read a value", options: [option])])
    }

    @Test func `an option that is not given has no value`() throws {
        let call = try call("exec web ls")
        #expect(call[SampleTree.port] == nil)
        #expect(call[SampleTree.tag] == [])
    }

    @Test func `parses values of every type`() throws {
        #expect(try value(.text("TEXT"), "a b") == "a b")
        #expect(try value(.duration, "5m") == .seconds(300))
        #expect(try value(.byteCount, "64K") == 65_536)
        #expect(try value(.number(in: 1...9), "9") == 9)
        #expect(try value(.factor(in: 0.1...10), "0.5") == 0.5)
        #expect(try value(.offset, "18446744073709551615") == .max)
        #expect(try value(.port, "22") == 22)
        #expect(try value(.user, "ann") == "ann")
        #expect(try value(.tag, "a-b") == "a-b")
        #expect(try value(.terminalSize, "100x30") == TerminalSize(columns: 100, rows: 30))
    }

    @Test(arguments: ["0", "10", "+5", "-1", "5.0", "x", "", "99999999999999999999"])
    func `an invalid number is reported with the valid range`(text: String) throws {
        #expect(try error(.number(in: 1...9), text).message == "--value: '\(text)' is not a number from 1 to 9")
    }

    @Test(arguments: ["0", "1e1", "inf", "nan", "0x1", "-1", "1.2.3"])
    func `a factor is a number in the range, with only digits and a decimal point`(text: String) throws {
        #expect(try error(.factor(in: 0.5...10), text).message == "--value: '\(text)' is not a number from 0.5 to 10")
    }

    @Test func `a duration can have a minimum`() throws {
        let message = try error(.duration(atLeast: .milliseconds(100)), "50ms").message
        #expect(message == "--value: '50ms' is shorter than 100ms")
    }

    @Test(arguments: ["0", "65536", "+22", "ssh"])
    func `a port is a number from 1 to 65535`(text: String) throws {
        let error = try error(.port, text)
        #expect(error.message == "--value: invalid port '\(text)'")
        #expect(error.hint == "a port is a number from 1 to 65535")
    }
}
