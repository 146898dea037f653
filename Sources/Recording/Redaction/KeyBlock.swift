/// Finds the lines of a private key between its header and footer (RFC 7468 §2, RFC 1421, openssh-key-v1).
struct KeyBlock {
    private(set) var isWithin = false

    /// Returns the secret part of the next line; nil if there is none.
    mutating func secret(in line: ArraySlice<UInt8>) -> Range<Int>? {
        guard isWithin || Self.hasDashes(line.span) else { return nil }
        let text = LineText(line)
        let isFirst = text.has("-----begin ", in: 0..<text.count) && text.has("private key", in: 0..<text.count)
        if isFirst {
            isWithin = !text.has("-----end ", in: 0..<text.count)
            return Self.body(of: Array(line))
        }
        guard isWithin else { return nil }
        let isLast = text.has("-----end ", in: 0..<text.count)
        guard !isLast, Self.canBelong(line) else {
            isWithin = false
            return nil
        }
        return line.isEmpty ? nil : 0..<line.count
    }

    /// Whether the line can contain five consecutive dashes; it is enough to check every fifth byte and its neighbors.
    private static func hasDashes(_ line: Span<UInt8>) -> Bool {
        var index = 4
        while index < line.count {
            if line[index] == 0x2D, line[index - 1] == 0x2D || index + 1 < line.count && line[index + 1] == 0x2D {
                return true
            }
            index += 5
        }
        return false
    }

    /// The range of the text that follows a header on the same line, up to the footer or the end of the line.
    private static func body(of line: [UInt8]) -> Range<Int>? {
        let dashes = Array("-----".utf8)
        let starts = line.indices.filter { line[$0...].starts(with: dashes) }
        guard let first = starts.first, let end = starts.first(where: { $0 > first + 10 }) else { return nil }
        let start = end + 5
        let next = starts.first { $0 >= start } ?? line.count
        // Documentation examples have a body such as `XXXX`.
        return start < next && Set(line[start..<next]).count >= 8 ? start..<next : nil
    }

    /// Whether the line can be part of a key: a header such as `DEK-Info: …`, or Base64, which can be
    /// indented in an editor or a listing.
    private static func canBelong(_ line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: Array("Proc-Type:".utf8)) || line.starts(with: Array("DEK-Info:".utf8)) { return true }
        return line.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D, 0x20, 0x2A: true
            default: byte >= 0x80
            }
        }
    }
}
