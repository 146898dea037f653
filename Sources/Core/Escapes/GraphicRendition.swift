/// How characters are shown that are written next (SGR; ECMA-48 §8.3.117, xterm's ctlseqs).
package struct GraphicRendition: Hashable, Sendable {
    private enum Color: Hashable, Sendable {
        case standard
        case indexed(Int)
        case direct(Int, Int, Int)
    }

    /// The attributes that are on or off; bit n stands for the parameter n that sets it.
    private var attributes: UInt64 = 0
    private var underline = 0
    private var foreground = Color.standard
    private var background = Color.standard
    private var underlineColor = Color.standard

    /// Nothing set.
    package init() {}

    /// Parameters that set an attribute, with the one that resets it.
    private static let simple = [
        (1, 22), (2, 22), (3, 23), (5, 25), (6, 25), (7, 27), (8, 28), (9, 29), (53, 55),
    ]

    /// The body of the control sequence that sets this after a reset, such as `0;1;31`.
    package var text: String {
        var parts = ["0"]
        parts += Self.simple.filter { attributes & 1 << UInt64($0.0) != 0 }.map { "\($0.0)" }
        if underline > 0 { parts.append(underline == 1 ? "4" : "4:\(underline)") }
        for (color, base) in [(foreground, 38), (background, 48), (underlineColor, 58)] {
            switch color {
            case .standard: continue
            case .indexed(let number): parts.append("\(base);5;\(number)")
            case .direct(let red, let green, let blue): parts.append("\(base);2;\(red);\(green);\(blue)")
            }
        }
        return parts.joined(separator: ";")
    }

    /// Takes the body of such a sequence over.
    package mutating func apply(_ body: [UInt8]) {
        guard !body.isEmpty, body != [UInt8(ascii: "0")] else {
            self = GraphicRendition()
            return
        }
        var fields = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        while let field = fields.popFirst() {
            let parts = Self.numbers(field)
            if [38, 48, 58].contains(parts[0]) {
                apply(color: parts, following: &fields)
            } else {
                apply(parts[0], style: parts.count > 1 ? parts[1] : nil)
            }
        }
    }

    private mutating func apply(_ parameter: Int, style: Int?) {
        if let (bit, _) = Self.simple.first(where: { $0.0 == parameter }) {
            attributes |= 1 << UInt64(bit)
            return
        }
        for (bit, reset) in Self.simple where reset == parameter { attributes &= ~(1 << UInt64(bit)) }
        switch parameter {
        case 0: self = GraphicRendition()
        case 4: underline = min(style ?? 1, 5)
        case 21: underline = 2
        case 24: underline = 0
        case 30...37: foreground = .indexed(parameter - 30)
        case 39: foreground = .standard
        case 40...47: background = .indexed(parameter - 40)
        case 49: background = .standard
        case 59: underlineColor = .standard
        case 90...97: foreground = .indexed(parameter - 90 + 8)
        case 100...107: background = .indexed(parameter - 100 + 8)
        default: break
        }
    }

    /// Reads a colour, whose parts stand behind colons, or behind semicolons as parameters of their own.
    private mutating func apply(color parts: [Int], following fields: inout ArraySlice<ArraySlice<UInt8>>) {
        var rest = Array(parts.dropFirst())
        if rest.isEmpty {
            let mode = fields.popFirst().map { Self.numbers($0)[0] } ?? 0
            let count = mode == 5 ? 1 : mode == 2 ? 3 : 0
            rest = [mode] + fields.prefix(count).map { Self.numbers($0)[0] }
            fields = fields.dropFirst(count)
        } else if rest[0] == 2, rest.count > 4 {
            // The colour space stands before the colour (ITU-T T.416 §13.1.8).
            rest.remove(at: 1)
        }
        let color: Color
        if rest[0] == 5, rest.count > 1 {
            color = .indexed(rest[1] & 255)
        } else if rest[0] == 2, rest.count > 3 {
            color = .direct(rest[1] & 255, rest[2] & 255, rest[3] & 255)
        } else {
            return
        }
        switch parts[0] {
        case 38: foreground = color
        case 48: background = color
        default: underlineColor = color
        }
    }

    private static func numbers(_ field: ArraySlice<UInt8>) -> [Int] {
        field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { part in
            part.reduce(0) { number, byte in
                (0x30...0x39).contains(byte) ? min(number * 10 + Int(byte - 0x30), 1_000_000) : number
            }
        }
    }
}
