import Core
import CoreTestSupport
import Foundation
import Services
import Storage
import Synchronization
import TestSupport
import Testing

/// Installations on a simulated server, with and without faults.
@Suite struct InstallServiceTests {
    private let scratch: ScratchDirectory
    private let directory: String
    private let program: String

    init() async throws {
        program = try await SmallProgram.path()
        scratch = try ScratchDirectory()
        directory = scratch.path("home/.local/bin")
        try scratch.write("#!/bin/sh\necho old\n", to: "home/.local/bin/vt", mode: 0o755)
    }

    private func install(
        on server: LocalServer,
        clock: any Clock<Duration> = ContinuousClock(),
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> InstallReport {
        var world = World(clock: clock, diagnostics: Quiet())
        world.connector = { _ in server }
        return try await InstallService(world).install(
            program,
            as: RemoteVTCommand.homePath,
            on: LocalServer.plan,
            force: false,
            progress: progress
        )
    }

    private func server(_ fault: LocalServer.Fault = .none) -> LocalServer {
        LocalServer(home: scratch.path("home"), fault: fault)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory) }
    }

    @Test func `installs the file and reports progress`() async throws {
        let steps = Mutex<[Int]>([])
        let report = try await install(on: server()) { sent, _ in steps.withLock { $0.append(sent) } }
        #expect(report.outcome == .replaced)
        #expect(report.version == SmallProgram.version)
        #expect(report.path == "\(directory)/vt")
        #expect(try names == ["vt"])
        #expect(steps.withLock { $0 }.last == report.sizeBytes)
        #expect(steps.withLock { $0 == $0.sorted() })
    }

    @Test func `detects and removes a damaged upload`() async throws {
        let error = try await failure { _ = try await install(on: server(.truncates)) }
        #expect(error.code == .io)
        #expect(try scratch.read("home/.local/bin/vt") == Array("#!/bin/sh\necho old\n".utf8))
        #expect(try names == ["vt"])
    }

    @Test func `a full disk leaves the old file unchanged`() async throws {
        let server = server(.isFull)
        let error = try await failure { _ = try await install(on: server) }
        #expect(error.code == .io)
        #expect(error.hint?.contains("vt exec web -- df -h \(directory)") == true)
        #expect(try scratch.read("home/.local/bin/vt") == Array("#!/bin/sh\necho old\n".utf8))
        #expect(try names == ["vt"])
        #expect(server.closes.withLock { $0 } > 0)
    }

    @Test func `a server that does not answer is given up`() async throws {
        let error = try await failure { _ = try await install(on: server(.hangs), clock: EagerClock()) }
        #expect(error.code == .timedOut)
        #expect(error.message == "'web' did not answer within 1m")
    }

    @Test func `does not replace a directory`() async throws {
        try scratch.remove("home/.local/bin/vt")
        try scratch.makeDirectory("home/.local/bin/vt/x")
        let error = try await failure { _ = try await install(on: server()) }
        #expect(error.code == .cannotCreate)
        #expect(try names == ["vt"])
    }

    @Test func `does not replace a device, a FIFO or a socket`() async throws {
        try scratch.remove("home/.local/bin/vt")
        #expect(mkfifo("\(directory)/vt", 0o600) == 0)
        let error = try await failure { _ = try await install(on: server()) }
        #expect(error.code == .cannotCreate)
        #expect(error.message == "'\(directory)/vt' on 'web' is not a regular file")
    }

    @Test func `removes temporary files of old installations, but not those of recent ones`() async throws {
        try scratch.write("", to: "home/.local/bin/.vt-install-old")
        try scratch.write("", to: "home/.local/bin/.vt-install-young")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)],
            ofItemAtPath: "\(directory)/.vt-install-old"
        )
        _ = try await install(on: server())
        #expect(try names.sorted() == [".vt-install-young", "vt"])
    }
}

private struct Quiet: Diagnostics {
    func note(_ message: String) {}

    func detail(_ message: @autoclosure () -> String) {}
}
