import Core
import Runtime
import Synchronization
import System

/// Performs the calls of a client on another machine, which it receives and answers over two byte streams.
///
/// A client makes one call at a time. The end of the input cancels a call.
package struct RelayService: Sendable {
    /// Makes the machine that performs the calls, with the diagnostics for the client.
    fileprivate let machine: @Sendable (any Diagnostics) -> any SessionMachine
    fileprivate let version: String
    /// Where vt may have been installed since this process was started.
    private let programs: [String]
    /// Nil if the machine performs this call as well.
    fileprivate let doctor: Doctor?
    /// The maximum size of the data of a call, which is kept in memory.
    fileprivate let dataLimitBytes: Int

    package typealias Doctor = @Sendable () async throws(VTError) -> [Finding]

    /// `home` is the user's home directory; `doctor` checks this machine.
    init(
        _ sessions: LocalSessions,
        home: String,
        doctor: @escaping Doctor
    ) {
        machine = { diagnostics in
            var sessions = sessions
            sessions.diagnostics = diagnostics
            return sessions
        }
        version = sessions.version
        self.doctor = doctor
        // More than 'vt sessions send' reads.
        dataLimitBytes = 128 << 20
        programs = ["\(home)/\(RemoteVTCommand.homePath)", OwnProgram.path]
    }

    package init(_ world: World) throws(VTError) {
        let doctor = try DoctorService(world)
        self.init(try LocalSessions(world), home: world.environment["HOME"] ?? "") {
            await doctor.findings(version: world.version)
        }
    }

    /// Performs all calls on a machine that has its own diagnostics.
    init(_ machine: any SessionMachine, version: String, dataLimitBytes: Int) {
        self.machine = { _ in machine }
        self.version = version
        self.dataLimitBytes = dataLimitBytes
        doctor = nil
        programs = []
    }

    /// Whether a client that starts vt now would get a different executable.
    fileprivate func isOutdated() -> Bool {
        guard !programs.isEmpty else { return false }
        let installed = programs.lazy.compactMap { FileVersion(at: $0) }.first
        return installed != FileVersion(at: OwnProgram.path)
    }

    /// Returns when the input has ended, or the connection to a holder has ended.
    ///
    /// - Throws: Errors from the streams.
    package func run(input: any ByteSource, output: any ByteSink) async throws(VTError) {
        let received = BytePipe()
        let conversation = RelayConversation(self, input: received, output: output)
        try await withWatch({ () async throws(VTError) in
            do throws(VTError) {
                while let bytes = try await input.read() { try await received.write(bytes) }
                received.end()
            } catch {
                received.end(error)
            }
        }) { () async throws(VTError) in
            try await conversation.serve()
        }
    }
}

/// The calls of one client, one after the other.
private final class RelayConversation: Sendable {
    private let service: RelayService
    private let input: BytePipe
    private let output: any ByteSink
    private let decoder = Mutex(SessionFrameDecoder())

    /// The number of bytes to collect before they are sent.
    private static let collectedBytes = 64 << 10

    /// The bytes that have been collected.
    private let unsent = Mutex<[UInt8]>([])

    init(_ service: RelayService, input: BytePipe, output: any ByteSink) {
        (self.service, self.input, self.output) = (service, input, output)
    }

    /// Performs calls until the input ends.
    func serve() async throws(VTError) {
        var isFirst = true
        while let frame = try await next() {
            switch frame {
            case .hello:
                if !isFirst {
                    // The program that starts vt has written the first marker.
                    unsent.withLock { $0 += RemoteVTCommand.marker }
                    guard !service.isOutdated() else { return try await send(.outdated) }
                }
                isFirst = false
                try await send(
                    .hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: service.version)
                )
            case .call(let json):
                do throws(VTError) {
                    guard try await perform(try SessionCall(json, data: try await data(of: json))) else { return }
                } catch {
                    // The call was canceled because the client has closed its end, so nothing can receive the error.
                    guard !error.isCancellation else { return }
                    try await send(.failure(error))
                }
            default: throw VTError(.protocolViolation, "received a frame that is not a call")
            }
        }
    }

    /// Returns false if the conversation ends with this call.
    private func perform(_ call: SessionCall) async throws(VTError) -> Bool {
        if call.verb is ConnectRequest {
            try await connect(to: call.session)
            return false
        }
        try await withWatch({ () async throws(VTError) in
            // A client that makes a call sends nothing until the call has ended.
            _ = try await self.input.read()
            throw .cancelled
        }) { () async throws(VTError) in
            if call.verb is DoctorRequest, let doctor = self.service.doctor { return try await self.check(doctor) }
            try await self.service.machine(self).perform(call) { frame throws(VTError) in
                try await self.send(frame, isUrgent: call.verb.isStreamed)
                return true
            }
        }
        try await send(.done)
        return true
    }

    /// Checks this machine.
    private func check(_ doctor: RelayService.Doctor) async throws(VTError) {
        for finding in try await doctor() {
            try await send(.result(finding.json))
        }
    }

    /// Relays frames between the client and a holder; returns when either side has closed its stream, without waiting for
    /// the other side to read what remains.
    private func connect(to session: String) async throws(VTError) {
        _ = try await service.machine(self).withHolder(of: session) { channel async throws(VTError) in
            try await self.send(.done)
            let first = self.decoder.withLock { $0.takeRest() }
            do throws(VTError) {
                try await withWatch({ () async throws(VTError) in
                    if !first.isEmpty { try await channel.write(first) }
                    while let bytes = try await self.input.read() { try await channel.write(bytes) }
                    throw .cancelled
                }) { () async throws(VTError) in
                    while let bytes = try await channel.read() { try await self.output.write(bytes) }
                }
            } catch {
                // The client has closed its stream.
                guard error.isCancellation else { throw error }
            }
            return nil
        }
    }

    // MARK: - Frames

    private func next() async throws(VTError) -> SessionFrame? {
        while true {
            if let frame = try decoder.withLock({ decoder throws(VTError) in try decoder.next() }) { return frame }
            guard let bytes = try await input.read() else { return nil }
            decoder.withLock { $0.append(bytes) }
        }
    }

    private func data(of json: [UInt8]) async throws(VTError) -> [UInt8] {
        let count = try SessionCall.dataBytes(of: json)
        guard count <= service.dataLimitBytes else {
            throw VTError(.dataInvalid, "\(count) bytes of input exceed the limit of \(service.dataLimitBytes)")
        }
        var data: [UInt8] = []
        while data.count < count {
            // A call that was cut off by a lost connection must not be performed.
            guard case .data(let bytes) = try await next() else { throw .cancelled }
            data += bytes
        }
        return data
    }

    /// Sends a frame or, unless it is urgent, collects it, because each write costs the server and the client time.
    private func send(_ frame: SessionFrame, isUrgent: Bool = true) async throws(VTError) {
        let new = frame.encoded
        let bytes = unsent.withLock { unsent -> [UInt8] in
            unsent += new
            guard isUrgent || unsent.count >= Self.collectedBytes else { return [] }
            defer { unsent = [] }
            return unsent
        }
        if !bytes.isEmpty { try await output.write(bytes) }
    }
}

/// Messages are sent to the client with the next frame.
extension RelayConversation: Diagnostics {
    func note(_ message: String) {
        collect(.note(message, isDetail: false))
    }

    func detail(_ message: @autoclosure () -> String) {
        collect(.note(message(), isDetail: true))
    }

    private func collect(_ frame: SessionFrame) {
        let bytes = frame.encoded
        unsent.withLock { $0 += bytes }
    }
}
