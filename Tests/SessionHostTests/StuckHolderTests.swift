import Core
import Foundation
import SessionHost
import System
import TestSupport
import Testing

/// Holders that are stopped, or crash during their start.
struct StuckHolderTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `distinguishes a holder that accepts no connections from a missing one`() async throws {
        let record = try await lab.create("x", "exec sleep 1000")
        let holder = try #require(record.holder?.processID)
        kill(holder, SIGSTOP)
        let queue = try ConnectionQueue(filling: lab.files(record).socket)
        let error = await #expect(throws: VTError.self) { try await lab.host.connect(to: record.id) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.hint?.contains("vt sessions kill x") == true)
        #expect(queue.count > 60)
        #expect(try lab.host.session("x").state == .running)
        let survivors = try await lab.host.killWithoutHolder(
            record.id,
            signal: nil,
            grace: .milliseconds(200),
            keepsPause: false
        )
        #expect(survivors.isEmpty)
        let lost = try lab.host.session("x")
        #expect(lost.state == .lost)
        #expect(lost.exit == nil)
        #expect(lost.endedAt != nil)
    }

    @Test func `a holder is busy while it runs, but not when it is idle, stopped or gone`() async throws {
        let record = try await lab.create("x", "exec sleep 1000")
        let holder = try #require(record.holder?.processID)
        let channel = try await lab.host.connect(to: record.id)
        #expect(await eventually { !channel.isPeerBusy })
        kill(holder, SIGSTOP)
        #expect(await eventually { Self.isStopped(holder) })
        #expect(!channel.isPeerBusy)
        kill(holder, SIGKILL)
        #expect(await lab.isReleased(record.id))
        #expect(!channel.isPeerBusy)
        _ = try await lab.host.killWithoutHolder(record.id, signal: nil, grace: .zero, keepsPause: false)
        let flood = try await lab.create("y", "exec yes")
        let flooded = try await lab.host.connect(to: flood.id)
        #expect(await eventually { flooded.isPeerBusy })
        _ = try await lab.host.killWithoutHolder(flood.id, signal: nil, grace: .zero, keepsPause: false)
    }

    @Test func `cancels a pending connection immediately`() async throws {
        let record = try await lab.create("x", "exec sleep 1000")
        kill(try #require(record.holder?.processID), SIGSTOP)
        let queue = try ConnectionQueue(filling: lab.files(record).socket)
        let (host, id) = (lab.host, record.id)
        let connecting = Task { try await host.connect(to: id) }
        connecting.cancel()
        let error = await #expect(throws: VTError.self) { _ = try await connecting.value }
        #expect(error == .cancelled)
        #expect(queue.count > 60)
        _ = try await lab.host.killWithoutHolder(record.id, signal: nil, grace: .zero, keepsPause: false)
    }

    private static func isStopped(_ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return status.contains("State:\tT")
    }

    @Test func `records a program whose holder crashed during its start`() async throws {
        for point in Fault.allCases.drop(while: { $0 != .holdTerminal }).prefix(while: { $0 != .endReaped }) {
            let name = point.rawValue.replacingOccurrences(of: ":", with: "-")
            let words = [name, "--", "sh", "-c", "trap '' HUP; exec sleep 1000"]
            let vt = lab.creation(words, fault: point.rawValue)
            _ = try await vt.run()
            for found in try lab.host.sessions(SilentDiagnostics()) where found.name == name {
                #expect(await lab.isReleased(found.id))
                let record = try lab.host.session(found.id.text)
                let isKnown = record.state == .lost && record.program != nil
                #expect(isKnown || lab.processes(markedBy: record).isEmpty, "\(point)")
                _ = try await lab.host.killWithoutHolder(record.id, signal: nil, grace: .zero, keepsPause: false)
                #expect(lab.processes(markedBy: record).isEmpty, "\(point)")
            }
        }
    }
}

/// Connections that fill a listener's queue.
final class ConnectionQueue {
    private var sockets: [Int32] = []

    var count: Int { sockets.count }

    init(filling path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        while true {
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            let result = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    connect(number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard result == 0 else {
                let failure = errno
                close(number)
                guard failure == EAGAIN else { throw FixtureError("cannot connect: errno \(failure)") }
                return
            }
            sockets.append(number)
        }
    }

    deinit {
        for number in sockets { close(number) }
    }
}
