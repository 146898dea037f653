import Core

/// Parses known_hosts files (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
///
/// OpenSSH skips malformed lines, so that a host on such a line looks new. Here, malformed lines are kept, with
/// everything that can be parsed; comments, protocol 1 keys and unsupported key types are omitted.
enum KnownHostsParser {
    /// The error for a malformed line.
    private struct Malformed: Error {
        var reason: String
    }

    static func parse(_ bytes: [UInt8], file: String) -> KnownHostsFile {
        var result = KnownHostsFile(path: file)
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            parse(line, number, into: &result)
        }
        return result
    }

    private static func parse(_ line: ArraySlice<UInt8>, _ number: Int, into result: inout KnownHostsFile) {
        var fields = line.split { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }[...]
        guard let first = fields.first, first.first != UInt8(ascii: "#") else { return }
        var damaged = DamagedKnownHostsLine(file: result.path, line: number, reason: "")
        do throws(Malformed) {
            var marker: KnownHost.Marker?
            if first.first == UInt8(ascii: "@") {
                marker = KnownHost.Marker(rawValue: String(decoding: first.dropFirst(), as: UTF8.self))
                damaged.isRevocation = marker == .revoked
                fields.removeFirst()
            }
            guard let namesField = fields.popFirst(), let namesText = String(validating: namesField, as: UTF8.self)
            else { throw Malformed(reason: "no host names") }
            let names = try names(namesText)
            damaged.names = names
            if first.first == UInt8(ascii: "@"), marker == nil { throw Malformed(reason: "unknown marker") }
            guard let key = try key(fields) else { return }
            result.entries.append(
                KnownHostsEntry(
                    marker: marker,
                    names: names,
                    namesText: namesText,
                    key: key,
                    file: result.path,
                    line: number
                )
            )
        } catch {
            damaged.reason = error.reason
            result.damagedLines.append(damaged)
        }
    }

    private static func names(_ text: String) throws(Malformed) -> KnownHostsEntry.Names {
        guard text.hasPrefix("|") else {
            return .patterns(text.lowercased().split(separator: ",").map(String.init))
        }
        // "|1|" salt "|" digest: salt and digest are in Base64 and have 20 bytes each when decoded, as in SHA-1.
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1] == "1", let salt = Base64.decode(parts[2].utf8),
            let digest = Base64.decode(parts[3].utf8), salt.count == 20, digest.count == 20
        else { throw Malformed(reason: "malformed hashed host name") }
        return .hashed(salt: salt, digest: digest)
    }

    // MARK: - Keys

    /// Parses the key type and the key; the remaining fields are a comment.
    ///
    /// Returns nil for protocol 1 keys and unsupported key types.
    private static func key(_ fields: ArraySlice<ArraySlice<UInt8>>) throws(Malformed) -> HostKey? {
        guard let typeField = fields.first, fields.count >= 2 else { throw Malformed(reason: "missing key") }
        // Protocol 1: bits, exponent and modulus.
        if fields.count >= 3, fields.prefix(3).allSatisfy(isNumber) { return nil }
        let type = String(decoding: typeField, as: UTF8.self)
        guard let blob = Base64.decode(fields[fields.startIndex + 1]) else {
            throw Malformed(reason: "the key is not valid Base64")
        }
        guard let key = HostKey(blob: blob), key.type == type else {
            throw Malformed(reason: "the key does not have the stated type")
        }
        guard let fieldCount = fieldCounts[type] else { return nil }
        guard isWhole(blob, fieldCount: fieldCount) else { throw Malformed(reason: "malformed key") }
        return key
    }

    private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
        field.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The number of strings and integers in a key blob (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4).
    private static let fieldCounts = [
        "ssh-ed25519": 2, "ecdsa-sha2-nistp256": 3, "ecdsa-sha2-nistp384": 3, "ecdsa-sha2-nistp521": 3,
        "ssh-rsa": 3, "ssh-dss": 5,
    ]

    private static func isWhole(_ blob: [UInt8], fieldCount: Int) -> Bool {
        var rest = blob[...]
        for _ in 0..<fieldCount {
            guard rest.count >= 4 else { return false }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard length > 0, rest.count >= length else { return false }
            rest = rest.dropFirst(length)
        }
        return rest.isEmpty
    }
}
