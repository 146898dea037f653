import Arguments
import Core
import Services
import Terminal

/// The options for the format of a screen.
struct ScreenOptions {
    enum Format: String, CaseIterable {
        case text, ansi, json, html, svg, png
    }

    static let format = Option(
        "format",
        .choice("FORMAT", Format.allCases),
        default: "text",
        summary: "write plain text, ANSI-colored text, JSON, an HTML page, or an SVG or PNG image",
        details: "png requires rsvg-convert (the Debian package librsvg2-bin) and a monospaced font."
    )
    let format: Format

    private static let theme = Option(
        "theme",
        .theme,
        default: Theme.standard.name,
        summary: "use the colors of this theme",
        details: "This option applies only to html, svg and png."
    )
    private let theme: Theme?

    private static let scale = Option(
        "scale",
        .factor(in: 0.25...8),
        default: "1",
        summary: "multiply the size of the image by FACTOR",
        details: "This option applies only to png."
    )
    private let scale: Double?

    private static let join = Option.flag(
        "join",
        summary: "join wrapped rows into one line",
        details: "This option applies only to text and ansi."
    )
    private let joinsRows: Bool

    static let options: [any CommandOption] = [format, theme, scale, join]

    /// - Throws: `usage` for incompatible options, and for an image that would be written to a terminal.
    init(_ call: Call, in context: Context) throws(VTError) {
        format = call[Self.format] ?? (context.global.json ? .json : .text)
        theme = call[Self.theme]
        scale = call[Self.scale]
        joinsRows = call[Self.join]
        guard !context.global.json || format == .json else {
            throw VTError(.usage, "options '--json' and '--format \(format.rawValue)' cannot be used together")
        }
        for (isGiven, name, formats) in [
            (theme != nil, "theme", [.html, .svg, .png]), (scale != nil, "scale", [.png]),
            (joinsRows, "join", [.text, .ansi]),
        ] as [(Bool, String, [Format])] where isGiven && !formats.contains(format) {
            throw VTError(
                .usage,
                "--\(name) cannot be used with --format \(format.rawValue)",
                hint: "use --format \(formats.map(\.rawValue).joined(separator: "|"))"
            )
        }
        if format == .png, context.console.output.isTerminal {
            throw VTError(.usage, "cannot write a PNG to a terminal", hint: "redirect standard output: >screen.png")
        }
    }

    /// A signal must stop the program that renders a PNG.
    static func signalHandling(of call: Call) -> SignalHandling {
        call[format] == .png ? .cancel : .none
    }

    /// Prints a screen, or the JSON document that contains it.
    ///
    /// `recorded` is the theme of the recording, which `--theme` overrides.
    func show(
        _ screen: Screen,
        in document: some JSONValue,
        recorded: Theme? = nil,
        _ context: Context
    ) async throws(VTError) {
        let theme = theme ?? recorded ?? .standard
        let bytes: [UInt8]
        switch format {
        case .text: bytes = Array(TextRenderer.render(screen, joined: joinsRows).utf8)
        case .ansi: bytes = Array(AnsiRenderer.render(screen, joined: joinsRows).utf8)
        case .html: bytes = Array(HTMLRenderer.render(screen, theme: theme).utf8)
        case .svg: bytes = Array(SVGRenderer.render(screen, theme: theme).utf8)
        case .png:
            let renderer = PNGRenderer(environment: context.console.environment, clock: context.world.clock)
            bytes = try await renderer.image(of: screen, theme: theme, scale: scale ?? 1)
        case .json: bytes = document.jsonLine
        }
        try context.output.bytes(bytes)
    }
}
