import Core
import CoreTestSupport
import Foundation
import Runtime
import Services
import Synchronization
import TestSupport

/// A server simulated on this machine, with its own home and a selected fault.
final class LocalServer: Connector, RemoteHost {
    enum Fault: Sendable {
        case none
        /// Programs receive only the first chunk of their input, without its last byte.
        case truncates
        /// Programs cannot write files of more than 1 KiB.
        case isFull
        /// No program ends.
        case hangs
    }

    let fault: Fault
    let machine: LocalMachine
    let home: String
    let closes = Mutex(0)

    init(home: String, fault: Fault = .none) {
        self.fault = fault
        self.home = home
        let environment: [ByteString] = ["PATH=/usr/bin:/bin", ByteString("HOME=\(home)")]
        guard let poller = try? DescriptorPoller() else { preconditionFailure("no descriptors are left") }
        machine = LocalMachine(shell: "/bin/sh", environment: environment, poller: poller)
    }

    static let plan = ConnectionPlan.ssh(.sample("web"))

    // MARK: - Connector and host

    func connect(
        _ plan: ConnectionPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        self
    }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        switch fault {
        case .none: return try await machine.run(request, streams: streams)
        case .truncates:
            var streams = streams
            streams.input = TruncatedSource(streams.input)
            return try await machine.run(request, streams: streams)
        case .isFull:
            guard case .arguments(let words) = request.command else { throw VTError(.internal, "not an argument list") }
            let limited: [ByteString] = ["sh", "-c", #"ulimit -f 2; exec "$@""#, "sh"]
            return try await machine.run(ExecRequest(.arguments(limited + words)), streams: streams)
        case .hangs: return try await machine.run(ExecRequest(.arguments(["sleep", "inf"])), streams: streams)
        }
    }

    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? { nil }

    func hostKeyTypes() -> [String] { [] }

    func close() async {
        closes.withLock { $0 += 1 }
    }
}

/// The first chunk of another source, without its last byte.
private final class TruncatedSource: ByteSource {
    private let source: any ByteSource
    private let isEnded = Mutex(false)

    init(_ source: any ByteSource) {
        self.source = source
    }

    func read() async throws(VTError) -> [UInt8]? {
        let wasEnded = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return isEnded
        }
        return wasEnded ? nil : try await source.read()?.dropLast()
    }
}
