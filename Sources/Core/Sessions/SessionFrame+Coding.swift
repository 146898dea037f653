extension SessionFrame {
    /// The frame kinds by number; those below 16 are frozen.
    private enum Kind {
        static let hello: UInt8 = 1
        static let status: UInt8 = 2
        static let kill: UInt8 = 3
        static let record: UInt8 = 4
        static let killed: UInt8 = 5
        static let failure: UInt8 = 6
        static let attach: UInt8 = 16
        static let input: UInt8 = 17
        static let resize: UInt8 = 18
        static let rename: UInt8 = 19
        static let colors: UInt8 = 20
        static let redraw: UInt8 = 21
        static let execute: UInt8 = 22
        static let withdraw: UInt8 = 23
        static let marker: UInt8 = 24
        static let suspend: UInt8 = 25
        static let identify: UInt8 = 27
        static let attached: UInt8 = 32
        static let output: UInt8 = 33
        static let gap: UInt8 = 34
        static let screen: UInt8 = 35
        static let accepted: UInt8 = 36
        static let resized: UInt8 = 37
        static let done: UInt8 = 38
        static let exit: UInt8 = 39
        static let queued: UInt8 = 40
        static let mark: UInt8 = 41
        static let call: UInt8 = 64
        static let data: UInt8 = 65
        static let result: UInt8 = 66
        static let note: UInt8 = 67
        static let outdated: UInt8 = 68
    }

    /// The frame in its wire format.
    package var encoded: [UInt8] {
        var payload: [UInt8] = []
        let kind = encode(into: &payload)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(5 + payload.count)
        bytes.appendUInt32(UInt32(payload.count + 1))
        bytes.append(kind)
        bytes += payload
        return bytes
    }

    /// Everything in an output frame before its `count` bytes of output, which follow unchanged.
    package static func outputHead(offset: UInt64, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt32(UInt32(count + 9))
        bytes.append(Kind.output)
        bytes.appendBigEndian(offset)
        return bytes
    }

    private func encode(into payload: inout [UInt8]) -> UInt8 {
        switch self {
        case .hello(let number, let features, let version):
            payload.appendBigEndian(number)
            payload.appendBigEndian(features)
            payload.appendString(version.utf8)
            return Kind.hello
        case .status: return Kind.status
        case .kill(let signal, let grace):
            payload.append(signal)
            payload.appendUInt32(grace)
            return Kind.kill
        case .attach(let attachment): return Self.encode(attachment, into: &payload)
        case .input(let sequence, let isChecked, let bytes):
            payload.appendBigEndian(sequence)
            payload.append(isChecked ? 1 : 0)
            payload += bytes
            return Kind.input
        case .resize(let size):
            payload.appendSize(size)
            return Kind.resize
        case .rename(let name):
            payload += Array(name.utf8)
            return Kind.rename
        case .colors(let colors):
            payload += colors.bytes
            return Kind.colors
        case .redraw: return Kind.redraw
        case .execute(let execution): return Self.encode(execution, into: &payload)
        case .withdraw: return Kind.withdraw
        case .identify(let id):
            payload += id
            return Kind.identify
        case .marker(let label):
            payload += Array(label.utf8)
            return Kind.marker
        case .suspend(let suspension):
            payload.append(suspension.rawValue)
            return Kind.suspend
        case .record(let session):
            payload += session.json
            return Kind.record
        case .killed(let survivors):
            for survivor in survivors { payload.appendString(survivor.utf8) }
            return Kind.killed
        case .done: return Kind.done
        case .failure(let error):
            payload.appendError(error)
            return Kind.failure
        case .page(let frame): return frame.encode(into: &payload)
        case .call, .data, .result, .note, .outdated: return encodeCall(into: &payload)
        case .attached, .output, .gap, .screen, .accepted, .resized, .exit, .queued, .mark:
            return encodeNews(into: &payload)
        }
    }

    /// Encodes frames that a holder sends to attached clients.
    private func encodeNews(into payload: inout [UInt8]) -> UInt8 {
        switch self {
        case .attached(let offset, let lastInput, let size):
            payload.appendBigEndian(offset)
            payload.appendBigEndian(lastInput)
            payload.appendSize(size)
            return Kind.attached
        case .output(let offset, let bytes):
            payload.appendBigEndian(offset)
            payload += bytes
            return Kind.output
        case .gap(let from, let to):
            payload.appendBigEndian(from)
            payload.appendBigEndian(to)
            return Kind.gap
        case .screen(let offset, let bytes):
            payload.appendBigEndian(offset)
            payload += bytes
            return Kind.screen
        case .accepted(let sequence, let offset, let isHidden):
            payload.appendBigEndian(sequence)
            payload.appendBigEndian(offset)
            if isHidden { payload.append(1) }
            return Kind.accepted
        case .resized(let size):
            payload.appendSize(size)
            return Kind.resized
        case .exit(let status, let offset):
            payload.appendBigEndian(offset)
            payload.appendExitStatus(status)
            return Kind.exit
        case .queued(let request):
            payload.appendBigEndian(request)
            return Kind.queued
        case .mark(let mark):
            payload.appendBigEndian(mark.offset)
            payload.append(mark.letter)
            payload.appendBigEndian(mark.request)
            payload.appendUInt32(mark.status ?? 0)
            payload.appendBigEndian(mark.turn)
            return Kind.mark
        default: return Kind.done
        }
    }

    /// Encodes frames that a relay sends or receives.
    private func encodeCall(into payload: inout [UInt8]) -> UInt8 {
        switch self {
        case .call(let json):
            payload += json
            return Kind.call
        case .data(let bytes):
            payload += bytes
            return Kind.data
        case .result(let json):
            payload += json
            return Kind.result
        case .note(let text, let isDetail):
            payload.appendBool(isDetail)
            payload.appendText(text)
            return Kind.note
        default: return Kind.outdated
        }
    }

    private static func encode(_ attachment: Attachment, into payload: inout [UInt8]) -> UInt8 {
        payload.appendBigEndian(attachment.from ?? .max)
        payload.append((attachment.isReadOnly ? 1 : 0) | (attachment.wantsMarks ? 2 : 0))
        payload.appendSize(attachment.size)
        payload += attachment.token
        return Kind.attach
    }

    private static func encode(_ execution: Execution, into payload: inout [UInt8]) -> UInt8 {
        payload += execution.token
        let shell = execution.assumedShell.flatMap { AssumedShell.allCases.firstIndex(of: $0) }.map { UInt8($0 + 1) }
        payload.append((execution.waits ? 1 : 0) | (execution.isRepeated ? 2 : 0) | (shell ?? 0) << 2)
        payload += execution.line
        return Kind.execute
    }

    // MARK: - Decoding

    /// Decodes a frame from its kind and payload; nil for an unknown kind or a payload that does not match its kind.
    ///
    /// - Throws: `config` for an invalid record.
    package init?(kind: UInt8, payload: ArraySlice<UInt8>) throws(VTError) {
        guard kind != Kind.record else {
            self = .record(try Session(json: Array(payload), source: "the record of a session"))
            return
        }
        var reader = WireReader(payload)
        guard
            let frame = Self.request(kind, &reader) ?? Self.answer(kind, &reader)
                ?? PageFrame(kind: kind, &reader).map({ .page($0) })
        else { return nil }
        self = frame
    }

    private static func request(_ kind: UInt8, _ reader: inout WireReader) -> SessionFrame? {
        switch kind {
        case Kind.hello:
            guard let number = reader.uint16(), let features = reader.uint64(), let version = reader.text() else {
                return nil
            }
            return .hello(protocolNumber: number, features: features, version: version)
        case Kind.status: return .status
        case Kind.kill:
            guard let signal = reader.byte(), let grace = reader.uint32() else { return nil }
            return .kill(signal: signal, graceMilliseconds: grace)
        case Kind.attach: return attachment(&reader).map { .attach($0) }
        case Kind.input:
            guard let sequence = reader.uint64(), let flags = reader.byte() else { return nil }
            return .input(sequence: sequence, isChecked: flags & 1 != 0, bytes: Array(reader.remainder()))
        case Kind.resize: return reader.size().map { .resize($0) }
        case Kind.rename: return String(validating: reader.remainder(), as: UTF8.self).map { .rename($0) }
        case Kind.colors: return TerminalColors(decoding: reader.remainder()).map { .colors($0) }
        case Kind.redraw: return .redraw
        case Kind.execute:
            guard let token = reader.bytes(tokenBytes), let flags = reader.byte() else { return nil }
            let shell = Int(flags >> 2)
            guard shell <= AssumedShell.allCases.count else { return nil }
            return .execute(
                Execution(
                    token: Array(token),
                    waits: flags & 1 != 0,
                    isRepeated: flags & 2 != 0,
                    assumedShell: shell == 0 ? nil : AssumedShell.allCases[shell - 1],
                    line: Array(reader.remainder())
                )
            )
        case Kind.withdraw: return .withdraw
        case Kind.identify: return reader.bytes(tokenBytes).map { .identify(Array($0)) }
        case Kind.marker: return String(validating: reader.remainder(), as: UTF8.self).map { .marker($0) }
        case Kind.suspend: return reader.byte().flatMap { Suspension(rawValue: $0) }.map { .suspend($0) }
        case Kind.call: return .call(Array(reader.remainder()))
        case Kind.data: return .data(Array(reader.remainder()))
        default: return nil
        }
    }

    private static func answer(_ kind: UInt8, _ reader: inout WireReader) -> SessionFrame? {
        switch kind {
        case Kind.killed:
            var survivors: [String] = []
            while !reader.isAtEnd {
                guard let survivor = reader.text() else { return nil }
                survivors.append(survivor)
            }
            return .killed(survivors: survivors)
        case Kind.failure: return reader.error().map { .failure($0) }
        case Kind.result: return .result(Array(reader.remainder()))
        case Kind.note:
            guard let isDetail = reader.bool(), let text = reader.text() else { return nil }
            return .note(text, isDetail: isDetail)
        case Kind.outdated: return .outdated
        case Kind.attached:
            guard let offset = reader.uint64(), let last = reader.uint64(), let size = reader.size() else { return nil }
            return .attached(offset: offset, lastInput: last, size: size)
        case Kind.output: return reader.uint64().map { .output(offset: $0, bytes: Array(reader.remainder())) }
        case Kind.screen: return reader.uint64().map { .screen(offset: $0, bytes: Array(reader.remainder())) }
        case Kind.gap:
            guard let from = reader.uint64(), let to = reader.uint64() else { return nil }
            return .gap(from: from, to: to)
        case Kind.accepted:
            guard let sequence = reader.uint64(), let offset = reader.uint64() else { return nil }
            return .accepted(sequence: sequence, offset: offset, isHidden: reader.byte() == 1)
        case Kind.resized: return reader.size()?.map { .resized($0) }
        case Kind.done: return .done
        case Kind.exit:
            guard let offset = reader.uint64(), let status = reader.exitStatus() else { return nil }
            return .exit(status, offset: offset)
        case Kind.queued: return reader.uint64().map { .queued(request: $0) }
        case Kind.mark: return mark(&reader).map { .mark($0) }
        default: return nil
        }
    }

    private static func attachment(_ reader: inout WireReader) -> Attachment? {
        guard let from = reader.uint64(), let flags = reader.byte(), let size = reader.size(),
            let token = reader.bytes(tokenBytes)
        else { return nil }
        var attachment = Attachment(
            from: from == .max ? nil : from,
            isReadOnly: flags & 1 != 0,
            size: size,
            token: Array(token)
        )
        attachment.wantsMarks = flags & 2 != 0
        return attachment
    }

    private static func mark(_ reader: inout WireReader) -> ShellMark? {
        guard let offset = reader.uint64(), let letter = reader.byte(), let request = reader.uint64(),
            let status = reader.uint32(), let turn = reader.uint64()
        else { return nil }
        return ShellMark(letter: letter, status: status, offset: offset, request: request, turn: turn)
    }
}

extension WireReader {
    /// The size of a terminal; the outer nil means that it is incomplete, the inner one that no terminal can have it.
    fileprivate mutating func size() -> TerminalSize?? {
        guard let columns = uint16(), let rows = uint16() else { return nil }
        return .some(TerminalSize(columns: Int(columns), rows: Int(rows)))
    }
}

extension [UInt8] {
    /// Appends the size of a terminal; zeros for nil.
    fileprivate mutating func appendSize(_ size: TerminalSize?) {
        appendBigEndian(UInt16(size?.columns ?? 0))
        appendBigEndian(UInt16(size?.rows ?? 0))
    }
}
