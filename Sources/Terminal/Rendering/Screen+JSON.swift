import Core

// A screen as JSON: rows of runs, each with one style, and the screen's other state.
//
// Default attributes of rows and runs are omitted, as is unknown state.

extension Screen: JSONDocument {
    package static let documentName = "screen"
    package static let documentSummary = "a screen"

    package static let fields = JSONTable<Self>(
        [
            .field("size", \.sizeDocument, "size of the screen"),
            .field("cursor", \.cursorDocument, "the cursor"),
            .field("alternate", \.isAlternate, "whether the alternate screen is shown"),
            .field("title", \.titleIfSet, "title of the terminal"),
            .field(
                "working_directory",
                \.workingDirectory,
                "URL of the working directory, as reported by the program (OSC 7)"
            ),
            .field(
                "modes",
                \.modeNames,
                "modes that are set, such as `bracketed-paste`, and flags of kitty's keyboard protocol, such as "
                    + "`kitty-disambiguate`"
            ),
            .field("colors", \.colorsIfSet, "colors set by the program (OSC 4, 10, 11 and 12)"),
            .field("prompt", \.promptIfKnown, "state reported by the shell (OSC 133)"),
            .field("scrollback", \.scrollback.ifNotEmpty, "rows above the screen, oldest first"),
            .field("rows", \.rows, "rows of the screen, from the top"),
        ],
        isSorted: false
    )

    private var sizeDocument: SizeDocument { SizeDocument(size) }
    private var cursorDocument: CursorDocument { CursorDocument(screen: self) }
    private var titleIfSet: String? { title.isEmpty ? nil : title }
    private var modeNames: [String] { modes.set.map(\.name) + keyboardFlags.names }
    private var colorsIfSet: ColorsDocument? {
        let document = ColorsDocument(colors)
        return document.isEmpty ? nil : document
    }
    private var promptIfKnown: PromptState? { promptState.phase == .unknown ? nil : promptState }
}

private struct ColorsDocument: JSONDocument {
    static let documentName = "colors"
    static let documentSummary = "the colors that a program has set, each as `#rrggbb`"

    static let fields: JSONTable<Self> = [
        .field("foreground", \.foreground, "color of text"),
        .field("background", \.background, "color of the background"),
        .field("cursor", \.cursor, "color of the cursor"),
        .field("palette", \.palette, "colors of the palette, by index"),
    ]

    let foreground: String?
    let background: String?
    let cursor: String?
    var palette: [String: String]?

    init(_ colors: TerminalColors) {
        func text(_ slot: TerminalColors.Slot) -> String? { colors[slot].map { Theme.RGB($0).text } }
        (foreground, background, cursor) = (text(.foreground), text(.background), text(.cursor))
        for (slot, value) in colors.all {
            guard let index = slot.paletteIndex else { continue }
            palette = palette ?? [:]
            palette?[String(index)] = Theme.RGB(value).text
        }
    }

    var isEmpty: Bool { foreground == nil && background == nil && cursor == nil && palette == nil }
}

private struct CursorDocument: JSONDocument {
    static let documentName = "cursor"
    static let documentSummary = "the cursor of a screen"

    static let fields = JSONTable<Self>(
        [
            .field("column", \.screen.cursor.column, "column, numbered from 0"),
            .field("row", \.screen.cursor.row, "row, numbered from 0"),
            .field("visible", \.screen.isCursorVisible, "whether the cursor is shown"),
            .field("shape", \.screen.cursorShape.name, "shape", as: .choice(["block", "underline", "bar"])),
            .field("blinking", \.screen.cursorShape.isBlinking, "whether the cursor blinks"),
            .field(
                "wrap_pending",
                \.screen.cursor.isWrapPending.ifTrue,
                "true if the last column has been written, so that the next character starts a new row"
            ),
        ],
        isSorted: false
    )

    let screen: Screen
}

extension PromptState: JSONDocument {
    package static let documentName = "prompt"
    package static let documentSummary = "the state of a shell that marks its prompts"

    package static let fields: JSONTable<Self> = [
        .field(
            "phase",
            \.phase.rawValue,
            "what the shell is doing",
            as: .choice(["prompt", "input", "output", "ended"])
        ),
        .field("status", \.status, "exit status of the last command"),
    ]
}

extension ScreenRow: JSONDocument {
    package static let documentName = "row"
    package static let documentSummary = "a row of a screen"

    package static let fields = JSONTable<Self>(
        [
            .field("text", \.text, "text without trailing blanks"),
            .field("wrapped", \.isWrapped.ifTrue, "true if the line continues on the next row"),
            .field(
                "size",
                \.sizeName,
                "size of the characters, unless it is normal",
                as: .choice(["double-width", "double-top", "double-bottom"])
            ),
            .field(
                "marks",
                \.markNames.ifNotEmpty,
                "parts that start on the row, as marked by the shell",
                as: .array(.choice(Self.allMarks.map(\.name)))
            ),
            .field("runs", \.allRuns, "characters with the same appearance"),
        ],
        isSorted: false
    )

    private static let allMarks: [(mark: PromptMarks, name: String)] = [
        (.prompt, "prompt"), (.input, "input"), (.output, "output"), (.end, "end"),
    ]

    private var sizeName: String? { size == .single ? nil : size.rawValue }
    private var markNames: [String] { Self.allMarks.filter { marks.contains($0.mark) }.map(\.name) }
    private var allRuns: [ScreenRun] { runs() }
}

extension ScreenRun: JSONDocument {
    package static let documentName = "run"
    package static let documentSummary = "adjacent characters with the same appearance"

    package static let fields = JSONTable<Self>(
        [
            .field("column", \.column, "first column, numbered from 0"),
            .field("width", \.width, "width", in: .columns),
            .field("text", \.text, "text"),
            .field("foreground", \.style.foreground, "color: an index from 0 to 255, or `#rrggbb`"),
            .field("background", \.style.background, "background color"),
            .field(
                "attributes",
                \.style.attributes.names.ifNotEmpty,
                "attributes",
                as: .array(
                    .choice([
                        "bold", "dim", "italic", "blink", "inverse", "concealed", "struck", "overlined", "protected",
                    ])
                )
            ),
            .field(
                "underline",
                \.underlineName,
                "underline",
                as: .choice(["single", "double", "curly", "dotted", "dashed"])
            ),
            .field("underline_color", \.style.underlineColor, "color of the underline"),
            .field("link", \.link?.target, "target of the link"),
            .field("link_id", \.linkID, "identifier of the link, if the program set one"),
        ],
        isSorted: false
    )

    private var underlineName: String? { style.underline == .none ? nil : style.underline.name }
    private var linkID: String? { link.flatMap { $0.id.isEmpty ? nil : $0.id } }
}

extension Color: JSONValue {
    package static var jsonType: JSONType { .either([.integer, .string]) }
    package static var isOptional: Bool { true }
    package var isAbsent: Bool { kind == .standard }

    package func write(to writer: inout JSONWriter) {
        switch kind {
        case .standard: break
        case .indexed(let index): writer.integer(index)
        case .rgb(let red, let green, let blue): writer.string(Theme.RGB(Int(red), Int(green), Int(blue)).text)
        }
    }
}

extension Array {
    fileprivate var ifNotEmpty: Self? { isEmpty ? nil : self }
}

extension Bool {
    fileprivate var ifTrue: Bool? { self ? true : nil }
}
