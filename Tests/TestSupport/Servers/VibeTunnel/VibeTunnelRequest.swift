import Foundation

/// A request as a `VibeTunnelDouble` reads it.
package struct VibeTunnelRequest: Sendable {
    package var method: String
    package var path: String
    /// By their names in lower case.
    package var fields: [String: String]
    package var body: [UInt8]
    /// What follows the request.
    var rest: [UInt8] = []

    /// Nil if the connection ends first.
    init?(from connection: LoopbackSocket) {
        var bytes: [UInt8] = []
        var head: Range<Int>?
        while head == nil {
            guard let more = connection.receive() else { return nil }
            bytes += more
            head = Data(bytes).range(of: Data("\r\n\r\n".utf8))
        }
        guard let head else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        (method, path) = (String(words[0]), String(words[1]))
        fields = Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstIndex(of: ":").map {
                    (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
                }
            }
        ) { $1 }
        let length = fields["content-length"].flatMap(Int.init) ?? 0
        while bytes.count < head.upperBound + length {
            guard let more = connection.receive() else { return nil }
            bytes += more
        }
        body = Array(bytes[head.upperBound..<head.upperBound + length])
        rest = Array(bytes[(head.upperBound + length)...])
    }

    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}
