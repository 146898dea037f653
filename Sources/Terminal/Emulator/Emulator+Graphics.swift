/// Select Graphic Rendition (ECMA-48 §8.3.117, ISO 8613-6 for colors, kitty's underlines).
extension Emulator {
    mutating func selectGraphics() {
        var index = 0
        while index < parser.sequence.count {
            let value = parser.sequence.value(index) ?? 0
            var after = index + 1
            while parser.sequence.isSubparameter(after) { after += 1 }
            switch value {
            case 38, 48, 58: after = selectColor(value, index, after)
            case 4: selectUnderline(after > index + 1 ? parser.sequence.value(index + 1) ?? 1 : 1)
            case _ where after > index + 1: break
            case 0:
                let link = pen.link
                let isProtected = pen.attributes.contains(.protected)
                pen = .plain
                pen.link = link
                if isProtected { pen.attributes = .protected }
            case 30...37: pen.foreground = .indexed(UInt8(value - 30))
            case 40...47: pen.background = .indexed(UInt8(value - 40))
            case 90...97: pen.foreground = .indexed(UInt8(value - 82))
            case 100...107: pen.background = .indexed(UInt8(value - 92))
            case 39: pen.foreground = .standard
            case 49: pen.background = .standard
            case 59: pen.underlineColor = .standard
            default: selectAttribute(value)
            }
            index = after
        }
        penNumber = nil
    }

    private mutating func selectAttribute(_ value: Int) {
        switch value {
        case 1: pen.attributes.insert(.bold)
        case 2: pen.attributes.insert(.dim)
        case 3: pen.attributes.insert(.italic)
        case 5, 6: pen.attributes.insert(.blink)
        case 7: pen.attributes.insert(.inverse)
        case 8: pen.attributes.insert(.concealed)
        case 9: pen.attributes.insert(.struck)
        case 21: pen.underline = .double
        case 22: pen.attributes.subtract([.bold, .dim])
        case 23: pen.attributes.remove(.italic)
        case 24: pen.underline = .none
        case 25: pen.attributes.remove(.blink)
        case 27: pen.attributes.remove(.inverse)
        case 28: pen.attributes.remove(.concealed)
        case 29: pen.attributes.remove(.struck)
        case 53: pen.attributes.insert(.overlined)
        case 55: pen.attributes.remove(.overlined)
        default: break
        }
    }

    private mutating func selectUnderline(_ kind: Int) {
        pen.underline = UInt8(exactly: kind).flatMap(Style.Underline.init) ?? .single
    }

    /// Parses the color that starts at a parameter; returns the index after it.
    ///
    /// The parts of the color are separated by colons or semicolons.
    private mutating func selectColor(_ which: Int, _ index: Int, _ afterGroup: Int) -> Int {
        let hasColons = afterGroup > index + 1
        let after: Int
        let color: Color?
        switch parser.sequence.value(index + 1) {
        case 5:
            after = hasColons ? afterGroup : index + 3
            color = parser.sequence.byte(index + 2).map(Color.indexed)
        case 2:
            // 38:2:r:g:b, or 38:2:SPACE:r:g:b with a color space; more parameters may follow.
            let first = hasColons && afterGroup - index >= 6 ? index + 3 : index + 2
            after = hasColons ? afterGroup : index + 5
            if let red = parser.sequence.byte(first), let green = parser.sequence.byte(first + 1),
                let blue = parser.sequence.byte(first + 2)
            {
                color = .rgb(red, green, blue)
            } else {
                color = nil
            }
        default:
            return hasColons ? afterGroup : index + 2
        }
        if let color {
            switch which {
            case 38: pen.foreground = color
            case 48: pen.background = color
            default: pen.underlineColor = color
            }
        }
        return after
    }
}
