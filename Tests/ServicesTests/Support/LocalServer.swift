import Machine
import Core
import Foundation
import POSIX
import Services
import Synchronization
import TestSupport

/// A server simulated on this machine, with its own home and a selected fault.
final class LocalServer: Connector, RemoteHost, RemoteFiles {
    enum Fault: Sendable {
        case none
        /// Accepts all data, but stores only the first chunk without its last byte.
        case truncates
        /// The disk is full after this number of bytes.
        case isFull(after: Int)
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

    static let plan = ConnectionPlan(
        name: "web",
        endpoint: Endpoint(host: "web"),
        user: "ann",
        route: .direct,
        credentials: Credentials(
            agentSocket: nil,
            identities: [],
            passphrase: { () async throws(VTError) in nil },
            password: { () async throws(VTError) in nil }
        ),
        hostKeyPolicy: .acceptNew,
        allowedAlgorithms: [],
        limits: .standard
    )

    // MARK: - Connector and host

    var files: any RemoteFiles { self }

    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        self
    }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        try await machine.run(request, streams: streams)
    }

    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? { nil }

    func hostKeyTypes() -> [String] { [] }

    func close() async {
        closes.withLock { $0 += 1 }
    }

    // MARK: - Files

    func status(of path: String) async throws(VTError) -> RemoteFileStatus? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return RemoteFileStatus(kind: .directory, sizeBytes: 0, mode: 0o755)
    }

    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError) {
        try FileContents.makeDirectory(path)
    }

    func create(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError) {
        let file = try OpenFile(opening: path, O_WRONLY | O_CREAT | O_EXCL)
        try file.setMode(mode_t(mode))
        var written = 0
        while let bytes = try await source.read() {
            switch fault {
            case .none: try file.writeAll(bytes)
            case .truncates: if written == 0 { try file.writeAll(Array(bytes.dropLast())) }
            case .isFull(let limit):
                try file.writeAll(Array(bytes.prefix(max(0, limit - written))))
                guard written + bytes.count <= limit else { throw VTError(.io, "cannot write '\(path)' on 'web'") }
            }
            written += bytes.count
        }
    }

    func remove(_ path: String) async throws(VTError) {
        // The file might not exist.
        try? FileManager.default.removeItem(atPath: path)
    }
}
