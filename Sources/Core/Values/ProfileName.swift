/// The name of a profile: 1–64 characters from `A–Z a–z 0–9 . _ -`, not starting with `.` or `-`.
///
/// This set excludes characters that are special on the command line: `,` between targets, `:` before a session, `@`
/// after a user, `/` in paths.
package struct ProfileName: Hashable, Sendable {
    package let text: String

    /// The reserved name for this machine.
    package static let local = "local"

    /// - Throws: `usage` when the text is not a valid name, or is `local`.
    package init(_ text: String) throws(VTError) {
        guard Self.isWellFormed(text) else {
            throw VTError(
                .usage,
                "invalid profile name '\(text)'",
                hint: "use 1 to 64 of the characters A-Z a-z 0-9 . _ - and start with a letter, a digit or _"
            )
        }
        guard text != Self.local else {
            throw VTError(
                .usage,
                "the profile name 'local' is reserved for this machine",
                hint: "choose another profile name"
            )
        }
        self.text = text
    }

    static func isWellFormed(_ text: String) -> Bool {
        guard let first = text.utf8.first, (1...64).contains(text.utf8.count) else { return false }
        return first != UInt8(ascii: ".") && first != UInt8(ascii: "-") && text.utf8.allSatisfy(isNameByte)
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
