/// Path functions; a path consists of names separated by `/`.
extension ByteString {
    private static let slash = UInt8(ascii: "/")

    /// The path of an entry of this directory.
    package func appending(_ name: ByteString) -> ByteString {
        if bytes.isEmpty { return name }
        return bytes.last == Self.slash ? self + name : ByteString(bytes + [Self.slash] + name.bytes)
    }

    /// The path without its last name: `/a/b` gives `/a`, `b` gives `.`, `/` gives `/`.
    package var parentDirectory: ByteString {
        let path = withoutTrailingSlashes.bytes
        guard let index = path.lastIndex(of: Self.slash) else { return "." }
        return index == 0 ? "/" : ByteString(path[..<index]).withoutTrailingSlashes
    }

    /// The last name of the path: `/a/b/` gives `b`; empty for `/`.
    package var lastName: ByteString {
        let path = withoutTrailingSlashes.bytes
        return ByteString(path[((path.lastIndex(of: Self.slash) ?? -1) + 1)...])
    }

    /// Whether the path can only denote a directory.
    package var namesDirectory: Bool {
        bytes.last == Self.slash || [".", ".."].contains(lastName)
    }

    /// Whether the bytes are the name of a single directory entry other than `.` and `..`.
    package var isEntryName: Bool {
        !bytes.isEmpty && self != "." && self != ".." && !bytes.contains(Self.slash) && !bytes.contains(0)
    }

    package var withoutTrailingSlashes: ByteString {
        var path = bytes[...]
        while path.count > 1, path.last == Self.slash { path.removeLast() }
        return ByteString(path)
    }
}
