import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct HolderOutputTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `a client receives every byte from an offset once, and the exit`() async throws {
        let record = try await lab.create("x", "seq 1 200; read line; seq 201 2000; exit 5")
        #expect(try await lab.output(of: record, holds: "200\r\n"))
        let client = try await HolderClientConnection(lab.files(record))
        #expect(try await client.attach(from: 4) == .attached(offset: 4, lastInput: 0, size: .standard))
        try client.send(.input(sequence: 1, isChecked: false, bytes: Array("\n".utf8)))
        let (output, others) = try await client.rest()
        let all = try lab.output(of: record)
        #expect(output == Array(all[4...]))
        #expect(others.last == .exit(.exited(5), offset: UInt64(all.count)))
    }

    @Test func `two readers receive identical bytes`() async throws {
        let record = try await lab.create("x", "read line; seq 1 60000; read line")
        let clients = [
            try await HolderClientConnection(lab.files(record)), try await HolderClientConnection(lab.files(record)),
        ]
        for (index, client) in clients.enumerated() { _ = try await client.attach(from: 0, token: UInt8(index)) }
        try clients[0].send(.input(sequence: 1, isChecked: false, bytes: [0x0a]))
        #expect(try await lab.output(of: record, holds: "60000\r\n"))
        let count = try lab.output(of: record).count
        // After the exit, the holder waits only briefly for readers, so they read nearly all of the output before it.
        var all: [[UInt8]] = []
        for client in clients {
            var output: [UInt8] = []
            while output.count < count {
                if case .output(_, let bytes) = try await client.next() { output += bytes }
            }
            all.append(output)
        }
        try clients[0].send(.input(sequence: 2, isChecked: false, bytes: [0x0a]))
        for (index, client) in clients.enumerated() { all[index] += try await client.rest().output }
        // Comparing the bytes directly would print all of them on failure.
        let isSame = all[0] == all[1]
        #expect(isSame, "\(all.map(\.count))")
        let isComplete = all[0] == (try lab.output(of: record))
        #expect(isComplete)
    }

    @Test func `an interactive client receives the screen first, and then all further output`() async throws {
        let record = try await lab.create("x", "echo before; read line; echo after; sleep 1000")
        #expect(try await lab.output(of: record, holds: "before"))
        let client = try await HolderClientConnection(lab.files(record))
        let size = TerminalSize(columns: 100, rows: 40)
        #expect(try await client.attach(size: size) == .attached(offset: 8, lastInput: 0, size: size))
        guard case .screen(8, let screen) = try await client.next() else {
            Issue.record("no screen")
            return
        }
        #expect(String(decoding: screen, as: UTF8.self).contains("before"))
        try client.send(.input(sequence: 1, isChecked: false, bytes: [0x0a]))
        var text = ""
        while !text.contains("after") {
            guard case .output(let offset, let bytes) = try await client.nextOutput() else { return }
            #expect(offset == 8 + UInt64(text.utf8.count))
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func `rejects an offset after the end`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record))
        #expect(try await client.attach(from: 1000).failureCode == .dataInvalid)
    }

    @Test func `a new size reaches the program, the record and the other clients`() async throws {
        let record = try await lab.create("x", "trap 'stty size' WINCH; echo ready; while :; do sleep .05; done")
        #expect(try await lab.output(of: record, holds: "ready"))
        let (one, other) = (
            try await HolderClientConnection(lab.files(record)), try await HolderClientConnection(lab.files(record))
        )
        _ = try await other.attach(from: 0, token: 2)
        let size = try #require(TerminalSize(columns: 132, rows: 43))
        try one.send(.resize(size))
        #expect(try await one.next() == .done)
        #expect(try await other.nextAnswer() == .resized(size))
        #expect(try await lab.output(of: record, holds: "43 132"))
        #expect(await eventually { (try? lab.host.session("x").size) == size })
    }

    @Test func `a client that has gone has no say in the size`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        func attached(_ size: String?, isReadOnly: Bool = false, token: UInt8) async throws -> HolderClientConnection {
            let client = try await HolderClientConnection(lab.files(record))
            let size = try size.map { try TerminalSize(parsing: $0) }
            _ = try await client.attach(from: 0, isReadOnly: isReadOnly, size: size, token: token)
            return client
        }
        func hasSize(_ size: String) async throws -> Bool {
            let size = try TerminalSize(parsing: size)
            return await eventually { (try? lab.host.session("x").size) == size }
        }
        let first = try await attached("100x30", token: 1)
        var reading: HolderClientConnection? = try await attached("20x5", isReadOnly: true, token: 2)
        var other: HolderClientConnection? = try await attached(nil, token: 3)
        var second: HolderClientConnection? = try await attached("60x20", token: 4)
        var third: HolderClientConnection? = try await attached("40x10", token: 5)
        #expect(try await hasSize("40x10"))
        (third, reading, other) = (nil, nil, nil)
        #expect(try await hasSize("60x20"))
        // A connection that is lost without an end, and its client, which has reconnected with another size.
        third = try await attached("90x9", token: 4)
        third = nil
        #expect(try await hasSize("100x30"))
        #expect(try await second?.rest().others.contains(.resized(try TerminalSize(parsing: "90x9"))) == false)
        second = nil
        try first.send(.resize(try TerminalSize(parsing: "101x31")))
        second = try await attached("60x20", token: 6)
        // A size that a command has set since then stays.
        let command = try await HolderClientConnection(lab.files(record))
        try command.send(.resize(try TerminalSize(parsing: "80x8")))
        #expect(try await command.next() == .done)
        second = nil
        #expect(await eventually { (try? lab.host.session("x").clients) == 1 })
        #expect(try await hasSize("80x8"))
        _ = (third, reading, other, second)
    }

    @Test func `counts clients that can type, but not read-only ones`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let typing = try await HolderClientConnection(lab.files(record))
        _ = try await typing.attach(from: 0)
        var reading: HolderClientConnection? = try await HolderClientConnection(lab.files(record))
        _ = try await reading?.attach(from: 0, isReadOnly: true, token: 2)
        #expect(await eventually { (try? lab.host.session("x").clients) == 1 })
        try reading?.send(.input(sequence: 1, isChecked: false, bytes: [1]))
        #expect(try await reading?.next().failureCode == .usage)
        reading = nil
        #expect(try lab.host.session("x").clients == 1)
    }

    /// The program prints 300 MB while one client never reads.
    @Test func `a client that never reads does not affect other clients`() async throws {
        var request = try lab.request(
            "x",
            "sh",
            "-c",
            "read line; head -c 300000000 /dev/zero | tr '\\0' x; echo end; read line"
        )
        request.creation.logLimitBytes = 1 << 30
        let record = try await lab.host.create(request)
        let (stalled, lossless) = (
            try await HolderClientConnection(lab.files(record)), try await HolderClientConnection(lab.files(record))
        )
        _ = try await stalled.attach(token: 2)
        _ = try await lossless.attach(from: 0, token: 3)
        let before = try memory(of: record)
        try lossless.send(.input(sequence: 1, isChecked: false, bytes: [0x0a]))
        var count = 0
        var peak = before
        // The output consists of the terminal's echo, the flood, and the last line.
        while count < 300_000_000 + 2 + 5, let frame = try await lossless.nextOrEnd() {
            guard case .output(_, let bytes) = frame else { continue }
            if count / (10 << 20) != (count + bytes.count) / (10 << 20) { peak = max(peak, try memory(of: record)) }
            count += bytes.count
        }
        #expect(count == 300_000_000 + 2 + 5)
        #expect(peak - before <= 8 << 20)
        try lossless.send(.input(sequence: 2, isChecked: false, bytes: [0x0a]))
        let (_, others) = try await stalled.rest()
        #expect(others.contains { if case .gap = $0 { true } else { false } })
    }

    /// The holder's resident memory that is not backed by files, in bytes (proc_pid_status(5)).
    private func memory(of record: Session) throws -> Int {
        let holder = try #require(record.holder?.processID)
        let status = try String(contentsOfFile: "/proc/\(holder)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.split(separator: " ")[1])) * 1024
    }
}

extension HolderClientConnection {
    /// The next frame other than acknowledgments of input and changes of the size.
    fileprivate func nextOutput() async throws -> SessionFrame {
        while true {
            let frame = try await next()
            switch frame {
            case .accepted, .resized: continue
            default: return frame
            }
        }
    }
}
