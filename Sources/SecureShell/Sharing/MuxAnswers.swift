import Core

/// The encoding of the values in frames that the mux server sends.
extension [UInt8] {
    mutating func appendPrompt(_ prompt: Prompt) {
        appendList(prompt.lines) { $0.appendText($1) }
        appendText(prompt.text)
        appendBool(prompt.echoes)
    }

    mutating func appendReport(_ report: SharedConnection) {
        appendText(report.name)
        appendEndpoint(report.endpoint)
        appendText(report.user)
        appendBigEndian(report.processID)
        appendUInt32(report.uses)
        appendBool(report.isClosing)
        appendBigEndian(report.openedAt.seconds)
        appendDuration(report.idleTimeout)
        appendDuration(report.idle)
    }
}

extension ConnectionStep {
    /// The number of the step, and its values.
    var wireBytes: [UInt8] {
        switch self {
        case .resolved(let addresses): [0] + [UInt8].wire { $0.appendList(addresses) { $0.appendText($1) } }
        case .connected(let address): [1] + [UInt8].wire { $0.appendOptional(address) { $0.appendText($1) } }
        case .identified(let banner): [2] + banner.wireBytes
        case .keysExchanged(let algorithms): [3] + [UInt8].wire { $0.appendList(algorithms) { $0.appendText($1) } }
        case .trusted(let key, let verdict):
            [4] + [UInt8].wire { $0.appendString(key.blob) } + verdict.rawValue.wireBytes
        case .greeted(let banner): [5] + banner.wireBytes
        case .authenticated(let method): [6] + method.wireBytes
        case .retrying(let error): [7] + [UInt8].wire { $0.appendError(error) }
        case .refused(let variable): [8] + variable.wireBytes
        case .shared(let processID): [9] + processID.wireBytes
        case .printed(let line): [10] + line.wireBytes
        }
    }
}

extension WireReader {
    mutating func prompt() -> Prompt? {
        guard let lines = list({ $0.text() }), let text = text(), let echoes = bool() else { return nil }
        var prompt = Prompt(text, lines: lines)
        prompt.echoes = echoes
        return prompt
    }

    mutating func step() -> ConnectionStep? {
        switch byte() {
        case 0: return list { $0.text() }.map { .resolved(addresses: $0) }
        case 1: return optional { $0.text() }.map { .connected(address: $0) }
        case 2: return text().map { .identified(banner: $0) }
        case 3: return list { $0.text() }.map { .keysExchanged(algorithms: $0) }
        case 4:
            guard let key = string().flatMap({ HostKey(blob: Array($0)) }),
                let verdict = text().flatMap(TrustVerdict.init)
            else { return nil }
            return .trusted(key, verdict)
        case 5: return text().map { .greeted(banner: $0) }
        case 6: return text().map { .authenticated(method: $0) }
        case 7: return error().map { .retrying(after: $0) }
        case 8: return text().map { .refused(variable: $0) }
        case 9: return uint32().map { .shared(processID: Int32(bitPattern: $0)) }
        case 10: return text().map { .printed(line: $0) }
        default: return nil
        }
    }

    mutating func report() -> SharedConnection? {
        guard let name = text(), let endpoint = endpoint(), let user = text(), let processID = uint32(),
            let uses = uint32(), let isClosing = bool(), let seconds = uint64(), let idleTimeout = duration(),
            let idle = duration()
        else { return nil }
        return SharedConnection(
            name: name,
            endpoint: endpoint,
            user: user,
            processID: Int32(bitPattern: processID),
            uses: uses,
            isClosing: isClosing,
            openedAt: Timestamp(seconds: Int64(bitPattern: seconds)),
            idleTimeout: idleTimeout,
            idle: idle
        )
    }
}
