import Arguments
import Core
import Terminal

/// Finds texts on a screen: `--find` of `vt sessions screen`.
struct ScreenFind {
    static let find = Option(
        "find",
        .text("TEXT"),
        excludes: [ScreenOptions.format],
        summary: "print where TEXT is shown instead of the screen",
        details: "Each place is a line: COL,ROW, numbered from 0, the number of cells, and the text. Rows above the "
            + "screen (--scrollback) are negative, and wrapped rows are joined. The exit status is 1 if there are none."
    )
    private static let regex = Option.flag(
        "regex",
        summary: "with --find, treat TEXT as an expression, as --match does"
    )
    private static let ignoreCase = Option.flag("ignore-case", short: "i", summary: "with --find, ignore case")
    private static let count = Option(
        "count",
        .number(in: 0...1_000_000),
        summary: "with --find, exit with status 1 unless there are N places"
    )
    private static let foreground = Option(
        "fg",
        color,
        summary: "with --find, only text in this color: red, bright-red, 0 to 255, #rrggbb or default"
    )
    private static let background = Option("bg", color, summary: "with --find, only text with this background")
    private static let bold = Option.flag("bold", summary: "with --find, only bold text")
    private static let dim = Option.flag("dim", summary: "with --find, only dim text")
    private static let italic = Option.flag("italic", summary: "with --find, only italic text")
    private static let underline = Option.flag("underline", summary: "with --find, only underlined text")
    private static let inverse = Option.flag("inverse", summary: "with --find, only text with exchanged colors")

    static let options: [any CommandOption] = [
        find, regex, ignoreCase, count, foreground, background, bold, dim, italic, underline, inverse,
    ]

    private static let color = ValueKind("COLOR", parse: Color.init(parsing:))

    private let text: ScreenText
    private let count: Int?
    private let style: TextStyle

    /// Nil without `--find`.
    ///
    /// - Throws: `usage` for an invalid expression, and for options that need `--find`.
    init?(_ call: Call) throws(VTError) {
        guard let text = call[Self.find] else {
            if let option = Self.options.first(where: { call.contains($0) }) {
                throw VTError(.usage, "--\(option.long) requires --find")
            }
            return nil
        }
        self.text = try ScreenText(text, isExpression: call[Self.regex], ignoresCase: call[Self.ignoreCase])
        count = call[Self.count].map { Int($0) }
        var style = TextStyle()
        (style.foreground, style.background) = (call[Self.foreground], call[Self.background])
        let flags: [(Option<Bool>, Style.Attributes)] = [
            (Self.bold, .bold), (Self.dim, .dim), (Self.italic, .italic), (Self.inverse, .inverse),
        ]
        for (flag, attribute) in flags where call[flag] { style.attributes.insert(attribute) }
        style.isUnderlined = call[Self.underline]
        self.style = style
    }

    /// Prints the places; returns the exit status.
    func show(_ screen: Screen, in region: ScreenRegion?, _ context: Context) throws(VTError) -> ProcessExit {
        let places = screen.places(of: text).filter { $0.has(style) && region?.contains($0) ?? true }
        if context.global.json {
            try context.output.json(Document(places: places))
        } else {
            for place in places {
                try context.output.text("\(place.column),\(place.row) \(place.width) \(place.text.sanitized)")
            }
        }
        let isExpected = count.map { places.count == $0 } ?? !places.isEmpty
        return .status(isExpected ? 0 : VTError.Code.negative.status)
    }

    struct Document {
        let places: [ScreenPlace]
    }
}

extension ScreenFind.Document: JSONDocument {
    static let documentName = "places on a screen"
    static let documentSummary = "where a text is shown, with `--find`"

    static let fields: JSONTable<Self> = [.field("places", \.places, "places, from top to bottom")]
}

extension ScreenPlace: JSONDocument {
    package static let documentName = "place on a screen"
    package static let documentSummary = "a place where a text is shown"

    package static let fields = JSONTable<Self>(
        [
            .field("column", \.column, "first column, numbered from 0"),
            .field("row", \.row, "row, numbered from 0; negative above the screen"),
            .field("width", \.width, "width", in: .columns),
            .field("text", \.text, "text that was found"),
            .field("line", \.line, "row that contains it, joined with those on which it continues"),
            .field("runs", \.runs, "characters of the text with the same appearance"),
        ],
        isSorted: false
    )
}
