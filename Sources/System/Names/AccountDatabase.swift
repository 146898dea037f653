import Core
import Glibc

/// The passwd or the group database (passwd(5), group(5)).
package struct AccountDatabase: Sendable {
    package static let users = AccountDatabase(name: "passwd", file: "/etc/passwd")
    package static let groups = AccountDatabase(name: "group", file: "/etc/group")

    /// The name of the database for getent(1).
    private let name: String
    private let file: String
    private let getent: Getent

    package init(name: String, file: String, getent: Getent = Getent()) {
        self.name = name
        self.file = file
        self.getent = getent
    }

    /// Returns the fields of the entry for a user or group ID, from the file or, failing that, from getent(1); nil if
    /// there is no entry.
    ///
    /// Blocks while getent runs. The C functions getpwuid(3) and getgrgid(3) are not used: see `Getent`.
    package func entry(_ id: UInt32) -> [String]? {
        // An unreadable file counts as empty.
        if let bytes = try? BlockingIO.contents(of: file), let entry = Self.entry(id, in: bytes) { return entry }
        guard let bytes = getent.answer(name, String(id)) else { return nil }
        return Self.entry(id, in: bytes)
    }

    private static func entry(_ id: UInt32, in bytes: [UInt8]) -> [String]? {
        let digits = Array(String(id).utf8)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // A line with a plus or minus sign refers to another database.
            guard line.first != UInt8(ascii: "+"), line.first != UInt8(ascii: "-") else { continue }
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            if fields.count >= 4, fields[2].elementsEqual(digits) {
                return fields.map { String(decoding: $0, as: UTF8.self) }
            }
        }
        return nil
    }
}
