import Testing

/// The screen of a snapshot.
package struct VibeTunnelScreen {
    package let columns, rows: Int
    package let cursor: [Int]
    package private(set) var lines: [String] = []

    package init(_ snapshot: [UInt8]) throws {
        try #require(snapshot.starts(with: [0x54, 0x56, 1]))
        let numbers = (0..<6).map { LittleEndian.number(snapshot.dropFirst(4 + $0 * 4).prefix(4)) }
        (columns, rows, cursor) = (numbers[0], numbers[1], [numbers[3], numbers[4]])
        var rest = snapshot[28...]
        func take(_ count: Int) throws -> ArraySlice<UInt8> {
            try #require(rest.count >= count)
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        while !rest.isEmpty {
            let head = try Array(take(2))
            if head[0] == 0xFE {
                lines += [String](repeating: "", count: Int(head[1]))
                continue
            }
            try #require(head[0] == 0xFD)
            var line = ""
            let high = Int(try Array(take(1))[0])
            for _ in 0..<(Int(head[1]) | high << 8) {
                let kind = try Array(take(1))[0]
                let count = kind & 3 < 2 ? Int(kind & 3) : Int(try Array(take(1))[0])
                line += count == 0 ? " " : try #require(String(validating: take(count), as: UTF8.self))
                guard kind & 0x80 != 0 else { continue }
                let foreground = kind & 0x20 == 0 ? 0 : kind & 8 == 0 ? 1 : 3
                let background = kind & 0x10 == 0 ? 0 : kind & 4 == 0 ? 1 : 3
                _ = try take(1 + foreground + background)
            }
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        #expect(lines.count == rows)
    }
}
