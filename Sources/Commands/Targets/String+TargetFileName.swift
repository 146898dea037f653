import Core

extension String {
    /// The longest name that leaves room for a hash and an ending in the 255 bytes of a file name (NAME_MAX).
    private static let nameLimitBytes = 220

    /// The name of a target as the name of a file or directory; different names have different file names.
    ///
    /// Bytes other than `A–Z a–z 0–9 . _ - @ :` are percent-encoded, and so is a dot at the beginning. A hash replaces
    /// the end of a name that is too long.
    var targetFileName: String {
        var result = ""
        for (index, byte) in utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "."): result += index == 0 ? "%2E" : "."
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "@"),
                UInt8(ascii: ":"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
        }
        guard result.utf8.count > Self.nameLimitBytes else { return result }
        return "\(result.prefix(Self.nameLimitBytes - 17))%\(String(StableHash.hash(utf8), radix: 16))"
    }
}
