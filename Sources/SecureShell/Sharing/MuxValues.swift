import Core

// The formats of the values in the frames of a shared connection.

extension MuxHello: WireValue {
    static func code(_ hello: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(
            key: try wire.string(hello?.key),
            secretsDigest: try wire.string(hello?.secretsDigest),
            connectTimeout: try wire.code(hello?.connectTimeout),
            idleTimeout: try wire.code(hello?.idleTimeout),
            promptLimit: try wire.code(hello?.promptLimit),
            environment: try wire.code(hello?.environment)
        )
    }
}

extension Secret: WireValue {
    package static func code(_ secret: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(secret, as: { ByteString($0.bytes) }, { try? Secret($0.bytes) })
    }
}

extension ExecRequest: WireValue {
    package static func code(_ request: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        var coded = Self(try wire.code(request?.command), directory: try wire.optional(request?.directory))
        coded.environment = try wire.code(request?.environment)
        coded.offeredEnvironment = try wire.code(request?.offeredEnvironment)
        coded.shell = try wire.optional(request?.shell)
        coded.terminal = try wire.optional(request?.terminal)
        coded.announcement = try wire.optional(request?.announcement)
        coded.isKept = try wire.code(request?.isKept)
        if case .arguments([]) = coded.command { throw WireCoder.Malformed() }
        return coded
    }
}

extension ExecRequest.Command: WireChoice {
    package static let wireCases: [WireCase<Self>] = [
        WireCase(0, Self.shellLine) { if case .shellLine(let line) = $0 { line } else { nil } },
        WireCase(1, Self.arguments) { if case .arguments(let words) = $0 { words } else { nil } },
        WireCase(2, .loginShell),
        WireCase(3, Self.subsystem) { if case .subsystem(let name) = $0 { name } else { nil } },
    ]
}

extension EnvironmentVariable: WireValue {
    package static func code(_ variable: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(variable, as: { "\($0.name)=\($0.value)" }, { try? Self($0) })
    }
}

extension ExecRequest.Terminal: WireValue {
    package static func code(_ terminal: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(type: try wire.code(terminal?.type), size: try wire.code(terminal?.size))
    }
}

extension TerminalSize: WireValue {
    package static func code(_ size: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let columns = try wire.code(size.map { UInt32($0.columns) })
        let rows = try wire.code(size.map { UInt32($0.rows) })
        guard let size = Self(columns: Int(columns), rows: Int(rows)) else { throw WireCoder.Malformed() }
        return size
    }
}

extension Prompt: WireValue {
    package static func code(_ prompt: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let lines = try wire.code(prompt?.lines)
        var coded = Self(try wire.code(prompt?.text), lines: lines)
        coded.echoes = try wire.code(prompt?.echoes)
        return coded
    }
}

extension SharedConnection: WireValue {
    package static func code(_ report: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(
            name: try wire.code(report?.name),
            endpoint: try wire.code(report?.endpoint),
            user: try wire.code(report?.user),
            processID: try wire.code(report?.processID),
            uses: try wire.code(report?.uses),
            isClosing: try wire.code(report?.isClosing),
            openedAt: Timestamp(seconds: try wire.code(report?.openedAt.seconds)),
            idleTimeout: try wire.code(report?.idleTimeout),
            idle: try wire.code(report?.idle)
        )
    }
}

extension Endpoint: WireValue {
    package static func code(_ endpoint: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(host: try wire.code(endpoint?.host), port: try wire.code(endpoint?.port))
    }
}

extension SecretKey.Purpose: WireValue {}

extension ConnectionStep: WireChoice {
    package static let wireCases: [WireCase<Self>] = [
        WireCase(0, Self.resolved) { if case .resolved(let addresses) = $0 { addresses } else { nil } },
        WireCase(1, { (address: WireOptional<String>) in .connected(address: address.value) }) {
            if case .connected(let address) = $0 { WireOptional(address) } else { nil }
        },
        WireCase(2, Self.identified) { if case .identified(let banner) = $0 { banner } else { nil } },
        WireCase(3, Self.keysExchanged) { if case .keysExchanged(let algorithms) = $0 { algorithms } else { nil } },
        WireCase(4, Self.trusted) { if case .trusted(let key, let verdict) = $0 { (key, verdict) } else { nil } },
        WireCase(5, Self.greeted) { if case .greeted(let banner) = $0 { banner } else { nil } },
        WireCase(6, Self.authenticated) { if case .authenticated(let method) = $0 { method } else { nil } },
        WireCase(7, Self.retrying) { if case .retrying(let error) = $0 { error } else { nil } },
        WireCase(8, Self.refused) { if case .refused(let variable) = $0 { variable } else { nil } },
        WireCase(9, Self.shared) { if case .shared(let processID) = $0 { processID } else { nil } },
        WireCase(10, Self.printed) { if case .printed(let line) = $0 { line } else { nil } },
    ]
}

extension HostKey: WireValue {
    package static func code(_ key: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(key, as: { ByteString($0.blob) }, { HostKey(blob: $0.bytes) })
    }
}

extension TrustVerdict: WireValue {}
