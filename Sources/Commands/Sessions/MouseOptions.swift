import Arguments
import Core
import Terminal

/// The options of `vt sessions send` for the mouse.
enum MouseOptions {
    private static let click = Option(
        "click",
        .text("PLACE"),
        summary: "click on a text on the screen, or on a cell",
        details:
            "PLACE is COL,ROW, or a text, which must be on the screen exactly once; its first character is clicked. "
            + "Columns and rows are numbered from 0, as in 'vt sessions screen --json'. The click is encoded for the "
            + "mouse mode that the program has enabled; without such a mode, the command fails."
    ).repeatable()
    private static let button = Option(
        "button",
        .choice("BUTTON", MouseButton.allCases),
        default: MouseButton.left.rawValue,
        summary: "click or drag with this mouse button"
    )
    private static let clicks = Option(
        "clicks",
        .number(in: 1...3),
        default: "1",
        summary: "click N times, such as 2 for a double click"
    )
    private static let drag = Option(
        "drag",
        .text("PLACES"),
        summary: "press the button at one place, move to another, and release it there",
        details:
            "PLACES is FROM:TO; each of them is COL,ROW, or a text without a colon, as for --click. The program receives "
            + "the movement if it has enabled a mode that reports it."
    ).repeatable()
    private static let scroll = Option(
        "scroll",
        .text("DIRECTION"),
        summary: "turn the wheel: up, down, up:N or down:N",
        details:
            "The mouse is in the middle of the screen or, with @PLACE at the end, such as down:3@10,5, at that place."
    ).repeatable()
    private static let hover = Option(
        "hover",
        .text("PLACE"),
        summary: "move the mouse to a place, as for --click"
    ).repeatable()

    static let options: [any CommandOption] = [click, button, clicks, drag, scroll, hover]

    static func check(_ call: Call) throws(VTError) {
        guard !call.contains(button) || call.contains(click) || call.contains(drag) else {
            throw VTError(.usage, "--button requires --click or --drag")
        }
        guard !call.contains(clicks) || call.contains(click) else { throw VTError(.usage, "--clicks requires --click") }
    }

    /// Returns what an option sends; nil for other options.
    static func item(_ option: String, _ value: String, _ call: Call) throws(VTError) -> SendItem? {
        let button = call[Self.button] ?? .left
        switch option {
        case click.long: return .click(try ClickTarget(parsing: value), button, count: Int(call[clicks] ?? 1))
        case drag.long:
            let places = try places(value)
            return .drag(places.from, to: places.to, button)
        case hover.long: return .hover(try ClickTarget(parsing: value))
        case scroll.long: return try scrolling(value)
        default: return nil
        }
    }

    private static func places(_ text: String) throws(VTError) -> (from: ClickTarget, to: ClickTarget) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw VTError(.usage, "invalid places '\(text)'", hint: "use FROM:TO, such as 10,5:20,5")
        }
        return (try ClickTarget(parsing: parts[0]), try ClickTarget(parsing: parts[1]))
    }

    private static func scrolling(_ text: String) throws(VTError) -> SendItem {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let words = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let wheel: MouseButton? = words[0] == "up" ? .wheelUp : words[0] == "down" ? .wheelDown : nil
        let count = words.count == 1 ? 1 : words.count == 2 ? NumberText.whole(words[1]) ?? 0 : 0
        guard let wheel, (1...Self.scrollLimit).contains(count) else {
            throw VTError(
                .usage,
                "invalid direction '\(text)'",
                hint: "use up, down, up:N or down:N, with N from 1 to \(Self.scrollLimit), and optionally @PLACE"
            )
        }
        let place = try parts.dropFirst().first.map { text throws(VTError) in try ClickTarget(parsing: text) }
        return .scroll(wheel, count: count, place)
    }

    /// The maximum number of steps of the wheel.
    private static let scrollLimit = 1000
}
