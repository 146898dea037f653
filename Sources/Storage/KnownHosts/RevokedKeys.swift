import Core

/// A file with revoked keys (ssh_config(5), RevokedHostKeys): one public key per line, or a key revocation list
/// (PROTOCOL.krl in OpenSSH's source).
struct RevokedKeys {
    /// A kind of section in a key revocation list.
    private enum Section: UInt8 {
        case certificates = 1
        case keys = 2
        case sha1Digests = 3
        case signature = 4
        case sha256Digests = 5
        case `extension` = 255
    }

    private static let magic = Array("SSHKRL\n\0".utf8)
    private static let formatVersion: UInt32 = 1

    private var blobs: Set<[UInt8]> = []
    private var sha1Digests: Set<[UInt8]> = []
    private var sha256Digests: Set<[UInt8]> = []

    /// Returns nil for a malformed file, from which a key could be missing.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic) ? readList(bytes) : readLines(bytes) else { return nil }
    }

    func contains(_ key: HostKey) -> Bool {
        blobs.contains(key.blob)
            || !sha1Digests.isEmpty && sha1Digests.contains(Digests.sha1(key.blob))
            || !sha256Digests.isEmpty && sha256Digests.contains(Digests.sha256(key.blob))
    }

    // MARK: - Lines

    private mutating func readLines(_ bytes: [UInt8]) -> Bool {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }
            guard let type = fields.first, type.first != UInt8(ascii: "#") else { continue }
            guard fields.count > 1, let blob = Base64.decode(fields[1]), let key = HostKey(blob: blob),
                key.type.utf8.elementsEqual(type)
            else { return false }
            blobs.insert(blob)
        }
        return true
    }

    // MARK: - Key revocation list

    private mutating func readList(_ bytes: [UInt8]) -> Bool {
        var reader = WireReader(bytes.dropFirst(Self.magic.count))
        // The version of the list, its date, flags, a reserved field and a comment.
        guard reader.uint32() == Self.formatVersion, reader.bytes(3 * 8) != nil, reader.string() != nil,
            reader.string() != nil
        else { return false }
        while let number = reader.byte() {
            guard let section = Section(rawValue: number), let data = reader.string() else { return false }
            switch section {
            // Only keys without certificates are trusted.
            case .certificates: break
            case .keys: guard Self.read(data, into: &blobs) else { return false }
            case .sha1Digests: guard Self.read(data, into: &sha1Digests) else { return false }
            case .sha256Digests: guard Self.read(data, into: &sha256Digests) else { return false }
            // As in OpenSSH, the file is trusted, so that a signature is not verified.
            case .signature: guard reader.string() != nil else { return false }
            case .extension:
                var content = WireReader(data)
                guard content.string() != nil, content.byte() == 0 else { return false }
            }
        }
        return true
    }

    private static func read(_ data: ArraySlice<UInt8>, into strings: inout Set<[UInt8]>) -> Bool {
        var reader = WireReader(data)
        while !reader.isAtEnd {
            guard let string = reader.string() else { return false }
            strings.insert(Array(string))
        }
        return true
    }
}
