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
        static let sentInput: UInt8 = 28
        static let ask: UInt8 = 29
        static let force: UInt8 = 30
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
        static let sent: UInt8 = 42
        static let call: UInt8 = 64
        static let data: UInt8 = 65
        static let result: UInt8 = 66
        static let note: UInt8 = 67
        static let outdated: UInt8 = 68
    }

    /// The frame in its wire format.
    package var encoded: [UInt8] {
        let (kind, payload) = parts
        return [UInt8](frame: kind, payload)
    }

    /// Everything in an output frame before its `count` bytes of output, which follow unchanged.
    package static func outputHead(offset: UInt64, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt32(UInt32(count + 9))
        bytes.append(Kind.output)
        bytes.appendBigEndian(offset)
        return bytes
    }

    private var parts: (kind: UInt8, payload: [UInt8]) {
        switch self {
        case .hello(let number, let features, let version):
            (Kind.hello, number.wireBytes + features.wireBytes + version.wireBytes)
        case .status: (Kind.status, [])
        case .kill(let signal, let grace): (Kind.kill, signal.wireBytes + grace.wireBytes)
        case .attach(let attachment): (Kind.attach, Self.payload(attachment))
        case .input(let sequence, let isChecked, let bytes):
            (Kind.input, sequence.wireBytes + [isChecked ? 1 : 0] + bytes)
        case .resize(let size): (Kind.resize, WireSize(size: size).wireBytes)
        case .rename(let name): (Kind.rename, Array(name.utf8))
        case .colors(let colors): (Kind.colors, Array(colors.bytes))
        case .redraw: (Kind.redraw, [])
        case .execute(let execution): (Kind.execute, Self.payload(execution))
        case .withdraw: (Kind.withdraw, [])
        case .identify(let id): (Kind.identify, id)
        case .marker(let label): (Kind.marker, Array(label.utf8))
        case .suspend(let suspension): (Kind.suspend, [suspension.rawValue])
        case .sentInput: (Kind.sentInput, [])
        case .ask(let request): (Kind.ask, request.wireBytes)
        case .force: (Kind.force, [])
        case .record(let session): (Kind.record, session.json)
        case .killed(let survivors): (Kind.killed, survivors.flatMap(\.wireBytes))
        case .failure(let error): (Kind.failure, error.wireBytes)
        case .attached(let offset, let lastInput, let size):
            (Kind.attached, offset.wireBytes + lastInput.wireBytes + WireSize(size: size).wireBytes)
        case .output(let offset, let bytes): (Kind.output, offset.wireBytes + bytes)
        case .gap(let from, let to): (Kind.gap, from.wireBytes + to.wireBytes)
        case .screen(let offset, let bytes): (Kind.screen, offset.wireBytes + bytes)
        case .accepted(let sequence, let offset, let isHidden):
            (Kind.accepted, sequence.wireBytes + offset.wireBytes + (isHidden ? [1] : []))
        case .resized(let size): (Kind.resized, WireSize(size: size).wireBytes)
        case .done: (Kind.done, [])
        case .exit(let status, let offset):
            (Kind.exit, offset.wireBytes + status.wireBytes)
        case .queued(let request): (Kind.queued, request.wireBytes)
        case .mark(let mark): (Kind.mark, Self.payload(mark))
        case .sent(let input):
            (Kind.sent, input.offsets.lowerBound.wireBytes + input.offsets.upperBound.wireBytes + input.bytes)
        case .call(let json): (Kind.call, json)
        case .data(let bytes): (Kind.data, bytes)
        case .result(let json): (Kind.result, json)
        case .note(let text, let isDetail): (Kind.note, [isDetail ? 1 : 0] + text.wireBytes)
        case .outdated: (Kind.outdated, [])
        case .page(let frame): Self.parts(of: frame)
        }
    }

    private static func parts(of frame: PageFrame) -> (kind: UInt8, payload: [UInt8]) {
        var payload: [UInt8] = []
        let kind = frame.encode(into: &payload)
        return (kind, payload)
    }

    private static func payload(_ attachment: Attachment) -> [UInt8] {
        let flags: UInt8 = (attachment.isReadOnly ? 1 : 0) | (attachment.wantsMarks ? 2 : 0)
        let start = (attachment.from ?? .max).wireBytes + [flags]
        return start + WireSize(size: attachment.size).wireBytes + attachment.token
    }

    private static func payload(_ execution: Execution) -> [UInt8] {
        let shell = execution.assumedShell.flatMap { AssumedShell.allCases.firstIndex(of: $0) }.map { UInt8($0 + 1) }
        let flags = (execution.waits ? 1 : 0) | (execution.isRepeated ? 2 : 0) | (shell ?? 0) << 2
        return execution.token + [flags] + execution.line
    }

    private static func payload(_ mark: ShellMark) -> [UInt8] {
        let start = mark.offset.wireBytes + [mark.letter] + mark.request.wireBytes
        return start + (mark.status ?? 0).wireBytes + mark.turn.wireBytes
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
        case Kind.resize: return (reader.value() as WireSize?).map { .resize($0.size) }
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
        case Kind.sentInput: return .sentInput
        case Kind.ask: return reader.value().map { .ask($0) }
        case Kind.force: return .force
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
        case Kind.failure: return reader.value().map { .failure($0) }
        case Kind.result: return .result(Array(reader.remainder()))
        case Kind.note:
            guard let isDetail = reader.bool(), let text = reader.text() else { return nil }
            return .note(text, isDetail: isDetail)
        case Kind.outdated: return .outdated
        case Kind.attached:
            guard let offset = reader.uint64(), let last = reader.uint64(), let size: WireSize = reader.value()
            else { return nil }
            return .attached(offset: offset, lastInput: last, size: size.size)
        case Kind.output: return reader.uint64().map { .output(offset: $0, bytes: Array(reader.remainder())) }
        case Kind.screen: return reader.uint64().map { .screen(offset: $0, bytes: Array(reader.remainder())) }
        case Kind.gap:
            guard let from = reader.uint64(), let to = reader.uint64() else { return nil }
            return .gap(from: from, to: to)
        case Kind.accepted:
            guard let sequence = reader.uint64(), let offset = reader.uint64() else { return nil }
            return .accepted(sequence: sequence, offset: offset, isHidden: reader.byte() == 1)
        case Kind.resized: return (reader.value() as WireSize?)?.size.map { .resized($0) }
        case Kind.done: return .done
        case Kind.exit:
            guard let offset = reader.uint64(), let status: ExitStatus = reader.value() else { return nil }
            return .exit(status, offset: offset)
        case Kind.queued: return reader.uint64().map { .queued(request: $0) }
        case Kind.mark: return mark(&reader).map { .mark($0) }
        case Kind.sent:
            guard let first = reader.uint64(), let last = reader.uint64(), first <= last else { return nil }
            return .sent(SentInput(Array(reader.remainder()), at: first...last))
        default: return nil
        }
    }

    private static func attachment(_ reader: inout WireReader) -> Attachment? {
        guard let from = reader.uint64(), let flags = reader.byte(), let size: WireSize = reader.value(),
            let token = reader.bytes(tokenBytes)
        else { return nil }
        var attachment = Attachment(
            from: from == .max ? nil : from,
            isReadOnly: flags & 1 != 0,
            size: size.size,
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

/// The size of a terminal; zeros for nil, which is also read from a size that no terminal can have.
private struct WireSize: WireValue {
    let size: TerminalSize?

    static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let columns = try wire.code(value.map { UInt16($0.size?.columns ?? 0) })
        let rows = try wire.code(value.map { UInt16($0.size?.rows ?? 0) })
        return Self(size: TerminalSize(columns: Int(columns), rows: Int(rows)))
    }
}
