import Core
import Glibc
import System

/// Secrets by profile and purpose: `{ "schema": 1, "secrets": { ID: { "password": BASE64 } } }`.
///
/// The secrets are protected only by the file's mode of 0600; a file that is accessible to other users is rejected.
struct SecretsFile {
    let path: String

    typealias Secrets = [String: [String: Secret]]

    private static let schema = 1

    /// - Throws: `config` when the file is malformed, has a newer schema or is accessible to other users; `io`.
    func secret(_ key: SecretKey) throws(VTError) -> Secret? {
        try load()[key.profileID]?[key.purpose.rawValue]
    }

    /// Changes the file atomically; an unchanged file is not written.
    func change(_ body: (inout Secrets) -> Void) throws(VTError) {
        try TrustedPath.make(directory: FileContents.directory(of: path))
        try FileLock(at: path + ".lock").hold { () throws(VTError) in
            let present = try load()
            var secrets = present
            body(&secrets)
            guard secrets != present else { return }
            try FileContents.replace(path, with: Self.render(secrets))
        }
    }

    private func load() throws(VTError) -> Secrets {
        guard let file = try OpenFile(reading: path) else { return [:] }
        let status = try file.status()
        guard status.st_mode & 0o077 == 0 else {
            throw VTError(
                .config,
                "'\(path)' is accessible to other users",
                hint: "make it private: chmod 600 \(ByteString(path).shellQuoted.repairedText)"
            )
        }
        try TrustedPath.check(directory: FileContents.directory(of: path))
        try TrustedPath.check(status, of: path)
        return try parse(try file.readToEnd(limit: FileContents.limitBytes))
    }

    private func parse(_ bytes: [UInt8]) throws(VTError) -> Secrets {
        let file = JSONFile(path: path, bytes: bytes)
        let outline = try file.outline()
        try file.checkSchema(
            of: try file.members(of: outline, name: "the document"),
            in: outline,
            newest: Self.schema
        )
        // In Base64, because a secret need not be UTF-8.
        let encoded: [String: [String: String]] = try file.read("the document") { () throws(JSONValueError) in
            try outline.required("secrets", in: bytes)
        }
        var secrets: Secrets = [:]
        for (profile, list) in encoded {
            for (purpose, text) in list {
                // Neither the text nor the bytes may appear in a message.
                guard let bytes = Base64.decode(text.utf8), let secret = try? Secret(bytes) else {
                    throw file.error(at: outline, "'\(purpose)' of '\(profile)' is not valid")
                }
                secrets[profile, default: [:]][purpose] = secret
            }
        }
        return secrets
    }

    private static func render(_ secrets: Secrets) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.object { writer in
            writer.member("schema", schema)
            writer.member("secrets", secrets.mapValues { $0.mapValues { Base64.encode($0.bytes) } })
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
