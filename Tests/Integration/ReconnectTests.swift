import Foundation
import TestSupport
import Testing

/// `vt attach` over connections that fail in various ways.
@Suite(.crowded, .sharing)
struct ReconnectTests {
    private let lab: Lab
    private let relay: Relay

    init() async throws {
        lab = try await Lab()
        relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        try await lab.meet("r")
        try lab.linkVt()
    }

    /// Creates a session on the server.
    private func create(_ command: String...) async throws {
        let vt = ["exec", "r", "--", "sh", "-c", #"exec "$HOME/.local/bin/vt" "$@""#, "vt"]
        try await lab.vt.call(vt + ["sessions", "create", "s", "--"] + command).check()
    }

    @Test(arguments: [11, 12])
    func `every line arrives exactly once despite connection faults`(_ seed: UInt64) async throws {
        let lines = 3_000
        let counter = "read go; i=0; while [ $i -lt \(lines) ]; do i=$((i+1)); echo line $i; sleep 0.002; done; exit 4"
        try await create("sh", "-c", counter)
        let client = try lab.vt.start("attach", "r:s")
        async let errors = client.errors.readToEnd()
        try client.input.write(Array("go\n".utf8))
        // vt does not reconnect before the client has attached once.
        let start = try await client.output.read(until: "line 1")
        async let output = client.output.readToEnd()
        var fault = FaultGenerator(seed: seed)
        for _ in 0..<20 {
            guard client.isRunning else { break }
            try await fault.next(on: relay)
        }
        relay.delay(by: .zero)
        relay.resume()
        let status = try await client.wait()
        let text = start + String(decoding: await output, as: UTF8.self)
        let told = String(decoding: await errors, as: UTF8.self)
        #expect(status == .exited(4), "\(told)")
        let numbers = text.split(separator: "\r\n").compactMap { Int($0.dropFirst("line ".count)) }
        let isEachThereOnce = numbers == Array(1...lines)
        #expect(isEachThereOnce)
        #expect(told.contains("reconnected to 'r:s'"))
    }

    @Test func `a line in a shell runs once, and its outcome arrives after a reconnection`() async throws {
        try await create("bash", "-i")
        let line = "echo one; echo x >>~/ran; read line; echo two; (exit 3)"
        let client = try lab.vt.start("sessions", "exec", "r:s", line)
        try await client.output.read(until: "one\n")
        relay.cut()
        try await lab.vt.check("sessions", "send", "r:s", "--enter")
        #expect(try await client.output.read(until: "two\n").hasSuffix("two\n"))
        #expect(try await client.wait() == .exited(3))
        #expect(await String(decoding: client.errors.readToEnd(), as: UTF8.self).hasSuffix("; reconnecting\n"))
        #expect(try String(contentsOfFile: "\(lab.server.home)/ran", encoding: .utf8) == "x\n")
    }

    @Test func `input typed while disconnected arrives exactly once`() async throws {
        try await create("sh", "-c", "read one; read two; [ \"$one $two\" = 'one two' ] && exit 2")
        let client = try lab.vt.start("attach", "r:s")
        async let errors = client.errors.readToEnd()
        try client.input.write(Array("one\n".utf8))
        // The terminal's echo shows that the client is attached; the connection is stalled when the second
        // line is typed.
        try await client.output.read(until: "one")
        relay.stall()
        try client.input.write(Array("two\n".utf8))
        relay.cut()
        relay.resume()
        let status = try await client.wait()
        let told = await String(decoding: errors, as: UTF8.self)
        #expect(status == .exited(2), "\(told)")
    }

    @Test func `detects and replaces a stalled connection`() async throws {
        try await lab.vt.check("profile", "edit", "r", "--keep-alive", "300ms", "--keep-alive-count", "2")
        try await create("cat")
        let client = try lab.vt.start("attach", "r:s")
        try client.input.write("x\n")
        try await client.output.read(until: "x\r\nx\r\n")
        relay.stall()
        try await client.errors.read(until: "lost the connection to 'r:s', reconnecting")
        relay.resume()
        try client.input.write("y\n")
        try await client.output.read(until: "y\r\ny\r\n")
    }

    @Test func `shows the connection's state in the last row of the screen, and removes it again`() async throws {
        try await create("sh", "-c", "stty -echo; while read line; do echo \"<$line>\"; done")
        let window = try await TerminalWindow(columns: 80, rows: 24, environment: lab.vt.environment)
        try await window.enter("clear; vt attach r:s")
        try await window.wait { !$0.contains("vt attach") }
        try await window.enter("one")
        try await window.wait(for: "<one>")
        relay.refuse(2)
        relay.cut()
        try await window.wait { $0.split(separator: "\n", omittingEmptySubsequences: false)[23].contains("vt: ") }
        try await window.enter("two")
        try await window.wait { $0.contains("<one>\n<two>\n") && !$0.contains("vt: ") }
    }

    @Test func `stops reconnecting immediately if the host key has changed`() async throws {
        try await create("cat")
        let client = try lab.vt.start("attach", "r:s")
        async let errors = client.errors.readToEnd()
        try client.input.write(Array("x\n".utf8))
        try await client.output.read(until: "x")
        let other = try await OpenSSHServer()
        relay.redirect(to: other.port)
        relay.cut()
        #expect(try await client.wait(deadline: .seconds(30)) == .exited(255))
        #expect(await String(decoding: errors, as: UTF8.self).contains("vt host trust"))
    }

    @Test func `reconnects to a server that refuses several connections first`() async throws {
        try await create("cat")
        let client = try lab.vt.start("attach", "r:s")
        async let errors = client.errors.readToEnd()
        try client.input.write(Array("x\n".utf8))
        try await client.output.read(until: "x")
        relay.refuse(3)
        relay.cut()
        try client.input.write(Array("y\n".utf8))
        try await client.output.read(until: "y")
        client.signal(SIGTERM)
        #expect(try await client.wait() == .signalled(SIGTERM))
        let lines = await String(decoding: errors, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "vt: lost the connection to 'r:s', reconnecting")
        #expect(lines.last == "vt: reconnected to 'r:s'")
    }
}

/// Generates random connection faults from a seed.
private struct FaultGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func random(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }

    /// Waits until more data has arrived, for at most 5 s, and causes the next fault.
    mutating func next(on relay: Relay) async throws {
        let before = relay.bytesToClient
        let amount = Int(2_000 + random(6_000))
        _ = await eventually(within: .seconds(5)) { relay.bytesToClient > before + amount }
        switch random(5) {
        case 0, 1: relay.cut()
        case 2: relay.halfClose()
        case 3:
            relay.stall()
            try await Task.sleep(for: .milliseconds(Int(random(150))))
            if random(2) == 0 { relay.cut() }
            relay.resume()
        default: relay.delay(by: .milliseconds(Int(random(10))))
        }
    }
}
