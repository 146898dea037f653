/// How characters are shown that are written next (SGR; ECMA-48 §8.3.117, xterm's ctlseqs).
package struct GraphicRendition: Hashable, Sendable {
    private enum Color: Hashable, Sendable {
        case standard
        case indexed(UInt8)
        case direct(UInt8, UInt8, UInt8)
    }

    /// The attributes that are on or off; bit n stands for the parameter n that sets it.
    private var attributes: UInt64 = 0
    private var underline = 0
    private var foreground = Color.standard
    private var background = Color.standard
    private var underlineColor = Color.standard

    /// Nothing set.
    package init() {}

    /// The body of the control sequence that sets this after a reset, such as `0;1;31`.
    package var text: String {
        var parts = ["0"]
        parts += (1...53).filter { attributes & 1 << UInt64($0) != 0 }.map { "\($0)" }
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
        var fields = ParameterReader(body)
        while let (parameter, hasMore) = fields.next() {
            if parameter == 38 || parameter == 48 || parameter == 58 {
                guard let color = hasMore ? Self.color(inside: &fields) : Self.color(after: &fields) else { continue }
                set(parameter, color)
            } else {
                apply(parameter, style: hasMore ? fields.next()?.value : nil)
                fields.skipField(hasMore)
            }
        }
    }

    private mutating func apply(_ parameter: Int, style: Int?) {
        switch parameter {
        case 0: self = GraphicRendition()
        case 4: underline = min(style ?? 1, 5)
        case 1, 2, 3, 5, 6, 7, 8, 9, 53: attributes |= 1 << UInt64(parameter)
        case 21: underline = 2
        case 22: attributes &= ~0b110
        case 24: underline = 0
        case 25: attributes &= ~0b110_0000
        case 23, 27, 28, 29, 55: attributes &= ~(1 << UInt64(parameter == 55 ? 53 : parameter - 20))
        case 30...37: foreground = .indexed(UInt8(parameter - 30))
        case 39: foreground = .standard
        case 40...47: background = .indexed(UInt8(parameter - 40))
        case 49: background = .standard
        case 59: underlineColor = .standard
        case 90...97: foreground = .indexed(UInt8(parameter - 90 + 8))
        case 100...107: background = .indexed(UInt8(parameter - 100 + 8))
        default: break
        }
    }

    private mutating func set(_ parameter: Int, _ color: Color) {
        switch parameter {
        case 38: foreground = color
        case 48: background = color
        default: underlineColor = color
        }
    }

    /// Reads a colour whose parts stand behind semicolons, as parameters of their own.
    private static func color(after fields: inout ParameterReader) -> Color? {
        switch fields.next()?.value {
        case 5: return fields.next().map { .indexed(UInt8(truncatingIfNeeded: $0.value)) }
        case 2:
            guard let red = fields.next(), let green = fields.next(), let blue = fields.next() else { return nil }
            return direct(red.value, green.value, blue.value)
        default: return nil
        }
    }

    /// Reads a colour whose parts stand behind colons (ITU-T T.416 §13.1.8), with or without a colour space.
    private static func color(inside fields: inout ParameterReader) -> Color? {
        var parts = (0, 0, 0, 0, 0)
        var count = 0
        while let (value, hasMore) = fields.next() {
            switch count {
            case 0: parts.0 = value
            case 1: parts.1 = value
            case 2: parts.2 = value
            case 3: parts.3 = value
            case 4: parts.4 = value
            default: break
            }
            count += 1
            if !hasMore { break }
        }
        if parts.0 == 5, count > 1 { return .indexed(UInt8(truncatingIfNeeded: parts.1)) }
        guard parts.0 == 2, count > 3 else { return nil }
        return count == 4 ? direct(parts.1, parts.2, parts.3) : direct(parts.2, parts.3, parts.4)
    }

    private static func direct(_ red: Int, _ green: Int, _ blue: Int) -> Color {
        .direct(UInt8(truncatingIfNeeded: red), UInt8(truncatingIfNeeded: green), UInt8(truncatingIfNeeded: blue))
    }
}

/// Reads the parameters of a control sequence one after the other.
private struct ParameterReader {
    private let body: [UInt8]
    private var index = 0
    private var isAtEnd = false

    init(_ body: [UInt8]) {
        self.body = body
    }

    /// The next number, 0 where it is left out, and whether a colon joins another one to it.
    mutating func next() -> (value: Int, hasMore: Bool)? {
        guard !isAtEnd else { return nil }
        var value = 0
        while index < body.count {
            let byte = body[index]
            index += 1
            switch byte {
            case UInt8(ascii: ";"): return (value, false)
            case UInt8(ascii: ":"): return (value, true)
            default: value = min(value * 10 + Int(byte & 0x0F), 1_000_000)
            }
        }
        isAtEnd = true
        return (value, false)
    }

    /// Passes over what colons join to the number that was read last.
    mutating func skipField(_ hasMore: Bool) {
        guard hasMore, index > 0, index <= body.count, body[index - 1] == UInt8(ascii: ":") else { return }
        while let (_, hasMore) = next(), hasMore {}
    }
}
