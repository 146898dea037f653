import Core
import Glibc
import System
import Terminal

/// Handles clients and their requests.
extension HolderLoop {
    /// The clients, and the socket on which they connect.
    struct Clients: ~Copyable {
        var all: [HolderClient] = []
        /// The attached clients that have requested a size, the last one last.
        var sizing: [HolderClient] = []
        /// The listening socket; nil once the session accepts no more clients.
        var listener: FileDescriptor?
        /// Closed when no other descriptor is left, so that a connection can be accepted and refused.
        var spare = Self.openSpare()

        /// The maximum number of clients: more than needed in practice, within the usual limit of 1024 descriptors.
        private static let limit = 256

        init(listener: consuming FileDescriptor) {
            self.listener = consume listener
        }

        var isFull: Bool { all.count >= Self.limit }

        static func openSpare() -> FileDescriptor? {
            // Without a spare, a client that cannot be accepted costs CPU time, but does no other harm.
            try? FileDescriptor.open("/dev/null", O_RDONLY)
        }
    }

    /// When to send output to a client, or to drop one that has not greeted.
    var clientsDeadline: Int64 {
        clients.all.reduce(.max) { deadline, client in
            isPumpable(client) ? 0 : client.hasGreeted ? deadline : min(deadline, client.greetingDeadline)
        }
    }

    /// Accepts clients, and handles their requests.
    func stepClients() {
        acceptClients()
        for client in clients.all { serve(client) }
    }

    func acceptClients() {
        guard let number = clients.listener?.number else { return }
        while !clients.isFull {
            switch UnixSocket.accept(number) {
            case .connection(let socket): clients.all.append(HolderClient(socket, now: HolderClock.now()))
            case .refused: continue
            // EAGAIN: no connection is pending.
            case .failure(let failure):
                if failure == EMFILE || failure == ENFILE { refuseClient(number) }
                return
            }
        }
    }

    /// Reports to a client that no file descriptors are left, after accepting its connection with the spare one.
    ///
    /// If the connection were left in the queue, `poll` would return immediately each time.
    private func refuseClient(_ listener: CInt) {
        clients.spare = nil
        if case .connection(let socket) = UnixSocket.accept(listener) {
            let error = VTError(.system, "the holder of '\(record.name)' is out of file descriptors")
            _ = UnixSocket.sendSome(socket.number, SessionFrame.failure(error).encoded, from: 0)
        }
        clients.spare = Clients.openSpare()
    }

    /// Reads and handles a client's frames.
    private func serve(_ client: HolderClient) {
        guard !client.isGone else { return }
        if !client.hasGreeted, HolderClock.now() >= client.greetingDeadline {
            client.drop()
            return
        }
        guard client.hasEvent, client.isReadable, client.receive(into: &buffer) else { return }
        serveDecoded(client)
    }

    private func serveDecoded(_ client: HolderClient) {
        do throws(VTError) {
            while client.isReadable, !client.isGone, let frame = try client.decoder.next() {
                do throws(VTError) {
                    try perform(frame, for: client)
                } catch {
                    client.answer(.failure(error))
                }
            }
        } catch {
            client.end(with: .failure(error))
        }
    }

    /// Queues stalled input that now fits, and handles the frames after it; returns whether there was any such input.
    func resumeInput() -> Bool {
        var hasResumed = false
        for client in clients.all where !client.isGone {
            guard let waiting = client.stalledInput, queueInput(waiting.sequence, waiting.bytes, from: client) else {
                continue
            }
            hasResumed = true
            client.stalledInput = nil
            serveDecoded(client)
        }
        return hasResumed
    }

    /// - Throws: The error to send to the client.
    private func perform(_ frame: SessionFrame, for client: HolderClient) throws(VTError) {
        switch frame {
        case .hello(let number, _, _):
            client.hasGreeted = true
            client.isForeign = number != SessionFrame.protocolNumber
            client.answer(
                .hello(
                    protocolNumber: SessionFrame.protocolNumber,
                    features: SessionFrame.Feature.ofHolders,
                    version: record.version
                )
            )
        case _ where !client.hasGreeted:
            client.end(with: .failure(VTError(.protocolViolation, "the client did not send a greeting")))
        case .status: client.answer(.record(currentRecord))
        case .kill(let signal, let grace): kill(CInt(signal), graceMilliseconds: grace, for: client)
        case _ where client.isForeign:
            throw VTError(.protocolViolation, "the holder supports only protocol \(SessionFrame.protocolNumber)")
        case .attach(let attachment): try attach(client, attachment)
        case .input(let sequence, let isChecked, let bytes): try performInput(sequence, isChecked, bytes, for: client)
        case .resize(let size): try performResize(size, for: client)
        case .colors(let colors):
            if client.attachment != nil, !client.isReadOnly { screen.emulator.use(colors) }
        case .redraw: redraw(client)
        case .rename(let name): try rename(to: name, for: client)
        case .execute(let execution): try execute(execution, for: client)
        case .data(let bytes): storeInput(bytes, of: client)
        case .withdraw: withdrawLine(of: client)
        case .identify(let id): client.requestID = id
        case .marker(let label): try addMarker(label, for: client)
        case .suspend(let suspension): try suspend(suspension, for: client)
        case .sentInput: client.answer(.sent(sent))
        case .ask(let request): try ask(request, for: client)
        case .force: client.isForced = record.openQuestion != nil
        case .record, .killed, .failure, .attached, .output, .gap, .screen, .accepted, .resized, .done, .exit,
            .queued, .mark, .sent, .call, .result, .note, .outdated, .page:
            client.end(with: .failure(VTError(.protocolViolation, "the client sent a frame that is not a request")))
        }
    }

    private func attach(_ client: HolderClient, _ attachment: SessionFrame.Attachment) throws(VTError) {
        guard client.attachment == nil else { throw VTError(.usage, "the client is already attached") }
        if let from = attachment.from, from > log.end {
            throw VTError(.dataInvalid, "offset \(from) is beyond the end of the output (\(log.end))")
        }
        for other in clients.all where other.attachment?.token == attachment.token { replace(other, with: client) }
        client.attachment = attachment
        if !attachment.isReadOnly, let size = attachment.size { resize(to: size, by: client) }
        client.needsScreen = attachment.from == nil
        client.next = attachment.from ?? log.end
        client.answer(
            .attached(
                offset: max(client.next, log.first),
                lastInput: terminal.input.lastTaken(of: attachment.token),
                size: record.size
            )
        )
        if attachment.wantsMarks, let prompt = shownPrompt { client.answer(.mark(prompt)) }
        // A client that has reconnected may have missed the answer.
        if record.question != nil { client.answer(.record(currentRecord)) }
        recordClients()
    }

    /// Records the number of attached clients, not counting read-only ones.
    func recordClients() {
        let count = clients.all.count { $0.attachment != nil && !$0.isReadOnly && !$0.isGone }
        guard count != record.clients ?? 0 else { return }
        record.clients = count == 0 ? nil : count
        unsaved.hasChanges = true
    }

    func dropClients() {
        guard clients.all.contains(where: \.isGone) else { return }
        clients.all.removeAll(where: \.isGone)
        dropSizes()
        terminal.input.dropAbandoned()
        if shell.tracker?.dropAbandoned() ?? false { retractLine() }
        recordClients()
        if clients.all.isEmpty { LinuxProcess.returnMemory() }
    }

    // MARK: - Requests

    private func performInput(
        _ sequence: UInt64,
        _ isChecked: Bool,
        _ bytes: [UInt8],
        for client: HolderClient
    ) throws(VTError) {
        guard !client.isReadOnly else {
            throw VTError(.usage, "cannot send input: the client is attached read-only")
        }
        if let token = client.attachment?.token, sequence <= terminal.input.lastTaken(of: token) {
            guard !terminal.input.adopt(sequence, of: token, by: client) else { return }
            client.answer(.accepted(sequence: sequence, offset: log.end))
            return
        }
        if adoptInput(sequence, by: client) { return }
        guard acceptsRequests else { throw Self.endError }
        try checkQuestion(for: client, isTyped: !isChecked)
        guard !isChecked || !terminal.isLineTooLong(bytes) else {
            client.requestID = nil
            let limit = TerminalControl.canonicalLineLimitBytes
            throw VTError(
                .dataInvalid,
                "cannot send input: in canonical mode, the terminal does not accept lines longer than \(limit) bytes"
            )
        }
        if !queueInput(sequence, bytes, from: client) { client.stalledInput = (sequence, bytes) }
    }

    private func performResize(_ size: TerminalSize?, for client: HolderClient) throws(VTError) {
        guard let size, !client.isReadOnly else {
            throw VTError(.usage, "cannot resize the terminal: the size is invalid, or the client is read-only")
        }
        resize(to: size, by: client)
        client.answer(.done)
    }

    private func resize(to size: TerminalSize, by client: HolderClient?) {
        if let client, client.attachment != nil {
            client.size = size
            clients.sizing.removeAll { $0 === client }
            clients.sizing.append(client)
        }
        guard size != record.size, acceptsRequests else { return }
        // A paused session has no terminal; the next one gets this size.
        if let number = terminal.number { TerminalControl.resize(number, to: size) }
        record.size = size
        unsaved.hasChanges = true
        log.events.resize(to: size)
        // The program may have requested size reports.
        reportSize()
        for other in clients.all where other !== client && other.attachment != nil { other.newSize = size }
    }

    /// Gives the session the size of the client that has requested one last, if one that had done so later is gone.
    private func dropSizes() {
        let isDecided = clients.sizing.last.map { $0.isGone && $0.size == record.size } ?? false
        clients.sizing.removeAll(where: \.isGone)
        if isDecided, let size = clients.sizing.last?.size { resize(to: size, by: nil) }
    }

    /// Drops the lost connection of a client that has reconnected, and keeps its say in the size.
    private func replace(_ lost: HolderClient, with client: HolderClient) {
        if let index = clients.sizing.firstIndex(where: { $0 === lost }) {
            client.size = lost.size
            clients.sizing[index] = client
        }
        lost.drop()
    }

    private func addMarker(_ label: String, for client: HolderClient) throws(VTError) {
        guard acceptsRequests else { throw Self.endError }
        log.events.marker(try MarkerLabel(label))
        client.answer(.accepted(sequence: 0, offset: log.end))
    }

    /// Sends a client the screen in place of output that it has not received.
    private func redraw(_ client: HolderClient) {
        guard client.attachment != nil else { return }
        client.next = log.end
        client.needsScreen = true
    }

    private func rename(to text: String, for client: HolderClient) throws(VTError) {
        let name = try SessionName(text).text
        try directory.names.move(record.id, from: record.name, to: name) { () throws(VTError) in
            record.name = name
            saveRecord(isDurable: false)
        }
        client.answer(.done)
    }
}
