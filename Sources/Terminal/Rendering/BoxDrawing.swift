/// The shapes of box drawing and block characters, drawn as paths so that lines connect regardless of the font.
struct BoxDrawing {
    /// The width of a cell, or of several cells with a merged shape.
    let width: Int
    /// The height of a cell.
    let height: Int
    /// The thickness of a light line.
    let line: Int

    /// The left, right, up and down arms of U+2500 to U+257F: 0 none, 1 light, 2 heavy, 3 double.
    private static let arms = """
        1100 2200 0011 0022 1100 2200 0011 0022 1100 2200 0011 0022 0101 0201 0102 0202 \
        1001 2001 1002 2002 0110 0210 0120 0220 1010 2010 1020 2020 0111 0211 0121 0112 \
        0122 0221 0212 0222 1011 2011 1021 1012 1022 2021 2012 2022 1101 2101 1201 2201 \
        1102 2102 1202 2202 1110 2110 1210 2210 1120 2120 1220 2220 1111 2111 1211 2211 \
        1121 1112 1122 2121 1221 2112 1212 2221 2212 2122 1222 2222 1100 2200 0011 0022 \
        3300 0033 0301 0103 0303 3001 1003 3003 0310 0130 0330 3010 1030 3030 0311 0133 \
        0333 3011 1033 3033 3301 1103 3303 3310 1130 3330 3311 1133 3333 0101 1001 1010 \
        0110 .... .... .... 1000 0010 0100 0001 2000 0020 0200 0002 1200 0012 2100 0021
        """.split(separator: " ").map { $0.utf8.map { Int($0) - 0x30 } }

    /// Returns the data of a filled SVG path; nil for a character that is drawn with the font.
    func path(_ text: String, _ x: Int, _ y: Int) -> String? {
        guard let scalar = text.unicodeScalars.first?.value, text.unicodeScalars.count == 1 else { return nil }
        switch scalar {
        case 0x2504...0x250B, 0x254C...0x254F: return dashes(scalar, x, y)
        case 0x256D...0x2570: return corner(scalar, x, y)
        case 0x2500...0x257F:
            let arms = Self.arms[Int(scalar) - 0x2500]
            return arms.contains { $0 < 0 } ? nil : lines(arms, x, y)
        case 0x2580...0x2590, 0x2594...0x259F:
            return blocks(scalar).map { rectangle(x + $0.0, y + $0.1, $0.2, $0.3) }.joined()
        default: return nil
        }
    }

    /// Whether a character has curves, which look better with smooth edges.
    static func isCurved(_ text: String) -> Bool {
        text.unicodeScalars.first.map { 0x256D...0x2570 ~= $0.value } ?? false
    }

    /// A line of two, three or four dashes.
    private func dashes(_ scalar: UInt32, _ x: Int, _ y: Int) -> String {
        let count = scalar >= 0x254C ? 2 : scalar < 0x2508 ? 3 : 4
        let isHorizontal = scalar % 4 < 2
        let thickness = scalar % 2 == 0 ? line : line * 2
        let length = isHorizontal ? width : height
        return (0..<count).map { number in
            let start = length * number / count + length / count / 6
            let dash = length / count * 2 / 3
            return isHorizontal
                ? rectangle(x + start, y + height / 2 - thickness / 2, dash, thickness)
                : rectangle(x + width / 2 - thickness / 2, y + start, thickness, dash)
        }.joined()
    }

    /// A rounded corner: an arc between two straight pieces that reach the edges.
    private func corner(_ scalar: UInt32, _ x: Int, _ y: Int) -> String {
        // Outward directions of the arms: ╭ right and down, ╮ left and down, ╯ left and up, ╰ right and up.
        let (toX, toY) = [(1, 1), (-1, 1), (-1, -1), (1, -1)][Int(scalar - 0x256D)]
        let (middleX, middleY, half) = (x + width / 2, y + height / 2, line / 2)
        let radius = min(width, height) / 2
        let (endX, endY) = (toX > 0 ? x + width : x, toY > 0 ? y + height : y)
        let sweep = toX == toY ? 1 : 0
        func point(_ x: Int, _ y: Int) -> String { "\(Markup.length(x)) \(Markup.length(y))" }
        func arc(_ radius: Int, _ sweep: Int, _ x: Int, _ y: Int) -> String {
            "A\(point(radius, radius)) 0 0 \(sweep) \(point(x, y))"
        }
        let (turnX, turnY) = (middleX + toX * radius, middleY + toY * radius)
        return "M\(point(middleX - toX * half, endY))V\(Markup.length(turnY))"
            + arc(radius + half, sweep, turnX, middleY - toY * half) + "H\(Markup.length(endX))"
            + "V\(Markup.length(middleY + toY * half))H\(Markup.length(turnX))"
            + arc(radius - half, 1 - sweep, middleX + toX * half, turnY) + "V\(Markup.length(endY))z"
    }

    private func lines(_ arms: [Int], _ x: Int, _ y: Int) -> String {
        let (middleX, middleY) = (width / 2, height / 2)
        var path = ""
        func bar(_ arm: Int, _ isHorizontal: Bool, _ from: Int, _ to: Int) {
            let offsets = arm == 3 ? [-line, line] : [0]
            let thickness = arm == 2 ? line * 2 : line
            for offset in offsets {
                if isHorizontal {
                    path += rectangle(x + from, y + middleY + offset - thickness / 2, to - from, thickness)
                } else {
                    path += rectangle(x + middleX + offset - thickness / 2, y + from, thickness, to - from)
                }
            }
        }
        // Each arm extends beyond the center by half the thickness of the crossing arms.
        let across = max(arms[2], arms[3]) > 1 ? line * 3 / 2 : line / 2
        let along = max(arms[0], arms[1]) > 1 ? line * 3 / 2 : line / 2
        if arms[0] > 0 { bar(arms[0], true, 0, middleX + across) }
        if arms[1] > 0 { bar(arms[1], true, middleX - across, width) }
        if arms[2] > 0 { bar(arms[2], false, 0, middleY + along) }
        if arms[3] > 0 { bar(arms[3], false, middleY - along, height) }
        return path
    }

    /// Rectangles within a cell: left, top, width and height.
    private func blocks(_ scalar: UInt32) -> [(Int, Int, Int, Int)] {
        let (halfX, halfY) = (width / 2, height / 2)
        let quadrants: [(Int, Int, Int, Int)] = [
            (0, 0, halfX, halfY), (halfX, 0, width - halfX, halfY), (0, halfY, halfX, height - halfY),
            (halfX, halfY, width - halfX, height - halfY),
        ]
        switch scalar {
        case 0x2580: return [(0, 0, width, halfY)]
        case 0x2581...0x2588:
            let part = height * Int(scalar - 0x2580) / 8
            return [(0, height - part, width, part)]
        case 0x2589...0x258F: return [(0, 0, width * Int(0x2590 - scalar) / 8, height)]
        case 0x2590: return [(halfX, 0, width - halfX, height)]
        case 0x2594: return [(0, 0, width, height / 8)]
        case 0x2595: return [(width - width / 8, 0, width / 8, height)]
        default:
            // The quadrants filled by U+2596 to U+259F: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
            let filled = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14][Int(scalar) - 0x2596]
            return quadrants.enumerated().filter { filled & 1 << $0.offset != 0 }.map(\.element)
        }
    }

    private func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
        let (left, top) = (Markup.length(x), Markup.length(y))
        return "M\(left) \(top)h\(Markup.length(width))v\(Markup.length(height))h\(Markup.length(-width))z"
    }
}
