import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct HolderInputTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `acknowledges input with the offset of the output before it`() async throws {
        let record = try await lab.create("x", "stty -echo; echo ready; read line; echo \"got $line\"")
        #expect(try await lab.output(of: record, holds: "ready\r\n"))
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.input(sequence: 1, isChecked: true, bytes: Array("word\n".utf8)))
        #expect(try await client.next() == .accepted(sequence: 1, offset: 7, isHidden: true))
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record) == "ready\r\ngot word\r\n")
    }

    @Test func `does not accept the same input twice, even over another connection`() async throws {
        let record = try await lab.create("x", "stty -echo; echo ready; cat")
        #expect(try await lab.output(of: record, holds: "ready"))
        for word in ["one", "two"] {
            let client = try await HolderClientConnection(lab.files(record))
            _ = try await client.attach(from: 0)
            try client.send(.input(sequence: 7, isChecked: false, bytes: Array("\(word)\n".utf8)))
            guard case .accepted(7, _, _) = try await client.nextAnswer() else {
                Issue.record("not accepted")
                return
            }
        }
        let client = try await HolderClientConnection(lab.files(record))
        guard case .attached(_, 7, _) = try await client.attach(from: 0) else {
            Issue.record("the holder has no record of the input")
            return
        }
        try client.send(.input(sequence: 8, isChecked: false, bytes: [0x04]))
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record) == "ready\r\none\r\n")
    }

    @Test func `a client that has gone while its input waits costs no processor time`() async throws {
        let record = try await lab.create("x", "stty raw -echo; echo ready; sleep 1000")
        #expect(try await lab.output(of: record, holds: "ready"))
        var client: HolderClientConnection? = try await HolderClientConnection(lab.files(record))
        // More than the terminal accepts, and more than may wait.
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 60_000)
        try client?.send(.input(sequence: 1, isChecked: false, bytes: bytes))
        try client?.send(.input(sequence: 2, isChecked: false, bytes: bytes))
        client = nil
        let holder = try #require(record.holder?.processID)
        let isIdle = try await eventually {
            let ticks = try ProcessTable.processorTicks(of: holder)
            try await Task.sleep(for: .milliseconds(300))
            return try ProcessTable.processorTicks(of: holder) == ticks
        }
        #expect(isIdle)
    }

    @Test func `rejects input that makes a line longer than the terminal accepts`() async throws {
        let record = try await lab.create("x", "stty -echo; echo ready; wc -c")
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 5000) + [0x0a]
        try client.send(.input(sequence: 1, isChecked: true, bytes: line))
        #expect(try await client.next().failureCode == .dataInvalid)
        let half = [UInt8](repeating: UInt8(ascii: "a"), count: 2500)
        try client.send(.input(sequence: 2, isChecked: true, bytes: half))
        #expect(try await client.next() == .accepted(sequence: 2, offset: 7, isHidden: true))
        try client.send(.input(sequence: 3, isChecked: true, bytes: half))
        #expect(try await client.next().failureCode == .dataInvalid)
        try client.send(.input(sequence: 4, isChecked: true, bytes: [0x0a, 0x04]))
        #expect(try await client.next() == .accepted(sequence: 4, offset: 7, isHidden: true))
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record) == "ready\r\n2501\r\n")
    }

    @Test func `input of any size arrives unchanged`() async throws {
        let count = 600_000
        let record = try await lab.create(
            "x",
            "stty raw -echo; printf ready; head -c \(count) | cksum | cut -d' ' -f1,2"
        )
        #expect(try await lab.output(of: record, holds: "ready"))
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let client = try await HolderClientConnection(lab.files(record))
        var sent = 0
        for (index, size) in [1, 100_000, 65_536, 3, count].enumerated() {
            let part = Array(bytes[sent..<min(count, sent + size)])
            try client.send(.input(sequence: UInt64(index + 1), isChecked: true, bytes: part))
            sent += part.count
        }
        for index in 1...5 {
            guard case .accepted(UInt64(index), _, _) = try await client.next() else {
                Issue.record("input \(index) was not accepted")
                return
            }
        }
        _ = try await lab.end(of: record)
        let file = try lab.scratch.write(bytes, to: "bytes")
        let sum = try await ProgramCall("/usr/bin/cksum", [file], environment: [:]).check()
        let expected = sum.split(separator: " ").prefix(2).joined(separator: " ")
        #expect(try lab.text(of: record) == "ready\(expected)\n")
    }

    @Test func `a program that does not read blocks the input, but not the session`() async throws {
        let record = try await lab.create("x", "stty raw -echo; echo ready; sleep 1000")
        #expect(try await lab.output(of: record, holds: "ready"))
        let stuck = try await HolderClientConnection(lab.files(record))
        let block = [UInt8](repeating: 0x61, count: 60_000)
        for sequence in 1...3 { try stuck.send(.input(sequence: UInt64(sequence), isChecked: false, bytes: block)) }
        let other = try await HolderClientConnection(lab.files(record))
        try other.send(.status)
        guard case .record = try await other.next() else {
            Issue.record("no record")
            return
        }
        try other.send(.kill(signal: 0, graceMilliseconds: 500))
        #expect(try await other.next() == .killed(survivors: []))
        for _ in 1...3 { #expect(try await stuck.next().failureCode == .ended) }
    }

    @Test func `a program that has closed its terminal can open it again`() async throws {
        let record = try await lab.create(
            "x",
            "exec 0<&- 1>&- 2>&-; sleep 0.3; exec 1>/dev/tty; echo back; sleep 0.1; exit 4"
        )
        let ended = try await lab.end(of: record)
        #expect(ended.exit == .exited(4))
        #expect(try lab.text(of: record) == "back\r\n")
    }

    @Test func `erased parts of a line do not count toward its limit`() async throws {
        let record = try await lab.create("x", "stty -echo; echo ready; wc -c")
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 4000)
        let erasures: [[UInt8]] = [[0x15], [0x17], [UInt8](repeating: 0x7f, count: 4000), [0x03]]
        var sequence: UInt64 = 0
        for erasure in erasures.dropLast() {
            for bytes in [part, erasure] {
                sequence += 1
                try client.send(.input(sequence: sequence, isChecked: true, bytes: bytes))
                #expect(try await client.next() == .accepted(sequence: sequence, offset: 7, isHidden: true))
            }
        }
        // An erase character after the literal-next character (^V) erases nothing.
        let literal = part + [0x16, 0x15] + part
        try client.send(.input(sequence: sequence + 1, isChecked: true, bytes: literal))
        #expect(try await client.next().failureCode == .dataInvalid)
        try client.send(.input(sequence: sequence + 2, isChecked: true, bytes: part + [0x15] + part + [0x0a, 0x04]))
        #expect(try await client.next() == .accepted(sequence: sequence + 2, offset: 7, isHidden: true))
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record) == "ready\r\n4001\r\n")
    }

    @Test func `erasing removes a character of a line, not a byte`() async throws {
        let record = try await lab.create("x", "stty -echo; echo ready; head -n 1 | od -An -tx1")
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.input(sequence: 1, isChecked: true, bytes: Array("abcé\u{7f}\n".utf8)))
        #expect(try await client.next() == .accepted(sequence: 1, offset: 7, isHidden: true))
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record) == "ready\r\n 61 62 63 0a\r\n")
    }

    @Test func `undelivered input of a disconnected sender does not block other senders`() async throws {
        let gate = lab.scratch.path("gate")
        let record = try await lab.create(
            "x",
            "stty raw -echo; mkfifo '\(gate)'; printf ready; read x <'\(gate)'; cat"
        )
        #expect(try await lab.output(of: record, holds: "ready"))
        let block = [UInt8](repeating: UInt8(ascii: "a"), count: 60_000)
        do {
            let stuck = try await HolderClientConnection(lab.files(record))
            for sequence in 1...3 { try stuck.send(.input(sequence: UInt64(sequence), isChecked: false, bytes: block)) }
            try stuck.send(.status)
        }
        let others = try await [HolderClientConnection(lab.files(record)), HolderClientConnection(lab.files(record))]
        let kept = [UInt8](repeating: UInt8(ascii: "b"), count: 60_000)
        for other in others { try other.send(.input(sequence: 1, isChecked: false, bytes: kept)) }
        // The reply follows the input, so the input has been accepted.
        for other in others {
            try other.send(.status)
            guard case .record = try await other.next() else {
                Issue.record("a sender is blocked by another one")
                return
            }
        }
        let opener = try FileHandle(forWritingTo: URL(fileURLWithPath: gate))
        try opener.write(contentsOf: Data("\n".utf8))
        for other in others {
            guard case .accepted(1, _, _) = try await other.next() else {
                Issue.record("the input was not accepted")
                return
            }
        }
        #expect(try await eventually { try lab.output(of: record).count { $0 == UInt8(ascii: "b") } == 120_000 })
        #expect(try lab.output(of: record).count < 3 * 60_000 + 120_000)
    }
}
