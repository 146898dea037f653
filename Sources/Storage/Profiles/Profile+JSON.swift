import Core

extension Profile {
    /// Reads a profile in the format that its `Encodable` conformance writes.
    ///
    /// Only `id`, `name`, `host` and `created_at` are required; fields that older versions do not write have defaults.
    ///
    /// - Throws: `config`, naming the invalid or missing field.
    init(_ fields: JSONFields) throws(VTError) {
        func string(_ key: CodingKeys) throws(VTError) -> String? { try fields.string(key.rawValue) }
        func milliseconds(_ key: CodingKeys) throws(VTError) -> Int64? { try fields.integer(key.rawValue) }
        func strings(_ key: CodingKeys) throws(VTError) -> [String] { try fields.strings(key.rawValue) ?? [] }
        func secret(_ key: CodingKeys) throws(VTError) -> SecretSource {
            try fields.fields(key.rawValue).map { fields throws(VTError) in try SecretSource(fields) } ?? .none
        }
        func required<Value>(_ key: CodingKeys, _ value: Value?) throws(VTError) -> Value {
            try fields.required(key.rawValue, value)
        }

        self.init(
            id: try required(.id, try string(.id)),
            name: try required(.name, try fields.value(CodingKeys.name.rawValue, fields.profileName)),
            host: try required(.host, try string(.host)),
            createdAt: try required(.createdAt, try fields.named(CodingKeys.createdAt.rawValue))
        )
        port =
            try fields.value(CodingKeys.port.rawValue) { port in
                port.integer(in: fields.file.bytes).flatMap { $0 > 0 ? $0 : nil }
            } ?? Endpoint.standardPort
        user = try string(.user)
        identities = try strings(.identities)
        agent = try fields.bool(CodingKeys.agent.rawValue) ?? true
        password = try secret(.password)
        passphrase = try secret(.passphrase)
        secretStore = try fields.named(CodingKeys.secretStore.rawValue)
        jump = try string(.jump)
        proxyCommand = try string(.proxyCommand)
        via = try string(.via)
        hostKeyPolicy = try fields.named(CodingKeys.hostKeyPolicy.rawValue) ?? .acceptNew
        knownHosts = try string(.knownHosts)
        allowedAlgorithms = try strings(.allowedAlgorithms)
        connectTimeoutMilliseconds = try milliseconds(.connectTimeoutMilliseconds)
        keepAliveMilliseconds = try milliseconds(.keepAliveMilliseconds)
        keepAliveCount = try fields.integer(CodingKeys.keepAliveCount.rawValue)
        shareMilliseconds = try milliseconds(.shareMilliseconds)
        cwd = try string(.cwd)
        environment = try fields.dictionary(CodingKeys.environment.rawValue) ?? [:]
        shell = try string(.shell)
        tags = try strings(.tags)
        note = try string(.note)
        lastConnectedAt = try fields.named(CodingKeys.lastConnectedAt.rawValue)
    }
}

extension JSONFields {
    fileprivate func profileName(_ value: JSONOutline) -> ProfileName? {
        value.string(in: file.bytes).flatMap { try? ProfileName($0) }
    }
}

extension SecretSource {
    /// - Throws: `config`, naming the invalid or missing field.
    fileprivate init(_ fields: JSONFields) throws(VTError) {
        func value() throws(VTError) -> String {
            try fields.required(CodingKeys.value.rawValue, try fields.string(CodingKeys.value.rawValue))
        }
        let kind: Kind? = try fields.named(CodingKeys.from.rawValue)
        switch try fields.required(CodingKeys.from.rawValue, kind) {
        case .none: self = .none
        case .stored: self = .stored
        case .env: self = .environment(try value())
        case .file: self = .file(try value())
        case .command: self = .command(try value())
        }
    }
}
