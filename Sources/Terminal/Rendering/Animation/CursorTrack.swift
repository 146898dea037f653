/// The position and shape of the cursor over time.
struct CursorTrack {
    struct Place: Hashable {
        var column: Int
        var row: Int
        /// The name of a `CursorShape`; nil while the cursor is hidden.
        var shape: String?
    }

    private(set) var moves: [(time: Int64, place: Place)] = []

    mutating func show(_ screen: Screen, at time: Int64) {
        var place = Place(column: screen.cursor.column, row: screen.cursor.row, shape: nil)
        if screen.isCursorVisible {
            place.shape = screen.cursorShape.name
        } else if let last = moves.last?.place {
            place = Place(column: last.column, row: last.row, shape: nil)
        }
        if moves.last?.place != place { moves.append((time, place)) }
    }

    /// The cursor at its final position.
    func markup(_ theme: Theme) -> String {
        guard let last = moves.last?.place, moves.contains(where: { $0.place.shape != nil }) else { return "" }
        let (x, y, width, height) = Self.box(last)
        let isHidden = last.shape == nil ? " visibility=\"hidden\"" : ""
        return "<path id=\"_c\" d=\"M0 0h10v20h-10z\" fill=\"\(theme.cursor.text)\" opacity=\".6\"\(isHidden) "
            + "transform=\"translate(\(x) \(y))scale(\(width) \(height))\"/>\n"
    }

    /// The animation of the cursor; empty if the cursor never changes or is never shown.
    func rules(_ clock: AnimationClock) -> String {
        guard moves.count > 1, moves.contains(where: { $0.place.shape != nil }) else { return "" }
        var text = "#_c{animation-name:_c}@keyframes _c{"
        var isShown = moves.last?.place.shape != nil
        for (time, place) in moves {
            let (x, y, width, height) = Self.box(place)
            text += "\(clock.percentage(time)){transform:translate(\(x)px,\(y)px)"
            if width != "1" || height != "1" || isScaled { text += "scale(\(width),\(height))" }
            if isShown != (place.shape != nil) || time == 0 {
                isShown = place.shape != nil
                text += ";visibility:\(isShown ? "visible" : "hidden")"
            }
            text += "}"
        }
        return text + "}\n"
    }

    /// Whether the cursor is ever anything other than a block.
    private var isScaled: Bool { moves.contains { $0.place.shape == "underline" || $0.place.shape == "bar" } }

    /// The left and top edges of the cursor, and the fractions of a cell's width and height that it occupies.
    private static func box(_ place: Place) -> (x: Int, y: Int, width: String, height: String) {
        let (x, y) = (place.column * AnimatedRow.width, place.row * AnimatedRow.height)
        return switch place.shape {
        case "underline": (x, y + 18, "1", ".1")
        case "bar": (x, y, ".2", "1")
        default: (x, y, "1", "1")
        }
    }
}
