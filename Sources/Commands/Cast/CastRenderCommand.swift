import Arguments
import Core
import Recording
import Services
import System
import Terminal

/// Renders a recording as an image or page: `vt cast render FILE`.
package enum CastRenderCommand: Command {
    private static let format = Option(
        "format",
        .choice("FORMAT", Format.allCases),
        default: "svg",
        summary: "render an animated SVG or GIF image, or an HTML page of still screens"
    )
    private static let at = Option(
        "at",
        .position,
        default: "100%",
        excludes: filmOptions,
        summary: "show the screen at this position (only with --format html)"
    ).repeatable()
    private static let theme = Option("theme", .theme, summary: "use the colors of this theme")
    private static let size = Option(
        "size",
        .terminalSize,
        summary: "use this terminal size instead of the recorded one"
    )
    private static let speed = Option(
        "speed",
        .factor(in: 0.01...1000),
        default: "1",
        summary: "multiply the playback speed by FACTOR"
    )
    private static let idleLimit = Option("idle-limit", .duration, summary: "shorten pauses to this length")
    private static let fps = Option(
        "fps",
        .number(in: 1...30),
        default: "30",
        summary: "show at most N frames per second, from 1 to 30; the default for gif is 15"
    )
    private static let noLoop = Option.flag("no-loop", summary: "play once and stop at the final screen")

    package static let spec = CommandSpec(
        ["cast", "render"],
        summary: "render a recording as an animated image",
        description: [
            CastOperand.explanation,
            "svg is a single self-contained file that plays wherever a browser shows images, without scripts or "
                + "external fonts; viewers that cannot animate, or are set to reduce motion, show the final screen. "
                + "gif requires rsvg-convert and ffmpeg. html is a page of still screens with selectable text. The "
                + "default format is determined by the extension of the --output file: .svg, .gif or .html.",
            "Pauses are shortened to five seconds, or to the limit in the recording, and the final screen is shown "
                + "for three seconds. By default, the recording's colors are used if it has any.",
            CastOperand.positions,
        ],
        operands: [CastOperand.file],
        options: CastResult.options + [
            format, at, SharedOptions.from, SharedOptions.to, theme, size, speed, idleLimit, fps, noLoop,
            CastOperand.lenient,
        ],
        examples: [
            ExampleSpec("vt cast render demo.cast -o demo.svg", "make an image for a web page or README"),
            ExampleSpec(
                "vt cast render demo.cast --from 1:20 --to -5 --speed 2 -o demo.gif",
                "render part of a recording at twice the speed"
            ),
            ExampleSpec(
                "vt cast render demo.cast --at 10 --at marker:done -o stills.html",
                "show two screens on one page"
            ),
        ],
        exitCodes: CastOptions.exitCodes + [.timedOut]
    )

    enum Format: String, CaseIterable {
        case svg, gif, html
    }

    private static let filmOptions: [any CommandOption] = [
        SharedOptions.from, SharedOptions.to, speed, idleLimit, fps, noLoop, size,
    ]

    package static func check(_ call: Call) throws(VTError) {
        _ = try CastResult(call)
        let isHTML = try chosenFormat(call) == .html
        if !isHTML, call.contains(at) {
            throw VTError(
                .usage,
                "--at requires --format html",
                hint: "for a single image, use 'vt cast screen FILE --at POSITION --format svg'"
            )
        }
        if isHTML, let option = filmOptions.first(where: call.contains)?.long {
            throw VTError(
                .usage,
                "--\(option) cannot be used with --format html",
                hint: "remove --\(option), and add --at POSITION for each still"
            )
        }
    }

    private static func film(_ call: Call, framesPerSecond: Int) -> AnimationRequest {
        var film = AnimationRequest()
        film.from = call[SharedOptions.from]
        film.to = call[SharedOptions.to]
        film.size = call[size]
        film.speed = call[speed] ?? 1
        film.idleLimit = call[idleLimit]
        film.framesPerSecond = call[fps] ?? framesPerSecond
        return film
    }

    /// The given format or, without one, that of the output file's extension; SVG without an extension.
    private static func chosenFormat(_ call: Call) throws(VTError) -> Format {
        if let given = call[Self.format] { return given }
        guard let path = try CastResult(call).path, let name = path.fileNameEnding else { return .svg }
        guard let format = Format(rawValue: name) else {
            throw VTError(
                .usage,
                "'\(path)' does not end in .svg, .gif or .html",
                hint: "use another file name, or add --format"
            )
        }
        return format
    }

    package static func signalHandling(of call: Call, on console: Console) throws(VTError) -> SignalHandling {
        // A signal must stop the programs that render a GIF and remove their files.
        try chosenFormat(call) == .gif ? .cancel : .none
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (result, format) = (try CastResult(call), try chosenFormat(call))
        if format == .gif, result.path == nil, context.console.output.isTerminal {
            throw VTError(.usage, "cannot write a GIF to a terminal", hint: "add --output OUT.gif")
        }
        try await result.write(in: context) { write async throws(VTError) in
            let source = try RecordingFile(
                opening: call[CastOperand.file],
                policy: CastOperand.policy(call),
                isReadAgain: true,
                diagnostics: context.diagnostics
            )
            switch format {
            case .svg: try write(try svg(of: source, call, in: context))
            case .html: try write(try html(of: source, call))
            case .gif: try write(try await gif(of: source, call, in: context))
            }
        }
        return 0
    }

    // MARK: - Formats

    private static func svg(of source: RecordingFile, _ call: Call, in context: Context) throws(VTError) -> [UInt8] {
        let film = try Animation(source, Self.film(call, framesPerSecond: 30))
        let file = call[CastOperand.file]
        var options = AnimatedSVGRenderer.Options()
        options.theme = colors(film.header, call)
        options.title = film.header.title ?? film.header.command ?? (file == "-" ? "vt" : file)
        options.isLooping = !call[noLoop]
        var renderer = AnimatedSVGRenderer(options)
        var frames = 0
        let end = try film.play(source) { screen, time throws(VTError) in
            frames += 1
            context.diagnostics.progress("\(source.name): frame \(frames)")
            try renderer.add(screen, at: time)
        }
        let bytes = Array(renderer.document(endingAt: end).utf8)
        warnIfLarge(bytes.count, in: context)
        return bytes
    }

    private static func gif(
        of source: RecordingFile,
        _ call: Call,
        in context: Context
    ) async throws(VTError) -> [UInt8] {
        let film = try Animation(source, Self.film(call, framesPerSecond: 15))
        let encoder = GIFRenderer(
            environment: context.console.environment,
            clock: context.world.clock,
            diagnostics: context.diagnostics
        )
        let theme = colors(film.header, call)
        let bytes = try await encoder.image(of: film, source, theme: theme, isLooping: !call[noLoop])
        warnIfLarge(bytes.count, in: context)
        return bytes
    }

    private static func html(of source: RecordingFile, _ call: Call) throws(VTError) -> [UInt8] {
        var stills: [HTMLRenderer.CaptionedScreen] = []
        var colors = call[theme]
        let positions = call[at]
        for position in positions.isEmpty ? [nil] : positions.map({ Optional($0) }) {
            let shown = try source.screen(at: position)
            colors = colors ?? shown.theme.flatMap { Theme(recorded: $0) }
            stills.append(HTMLRenderer.CaptionedScreen(caption: "\(shown.time.text()) s", screen: shown.screen))
        }
        let title = call[CastOperand.file] == "-" ? "vt" : call[CastOperand.file]
        return Array(HTMLRenderer.page(stills, title: title, theme: colors ?? .standard).utf8)
    }

    private static func colors(_ header: RecordingHeader, _ call: Call) -> Theme {
        call[theme] ?? header.theme.flatMap { Theme(recorded: $0) } ?? .standard
    }

    /// Warns if an image is large for a web page.
    private static func warnIfLarge(_ bytes: Int, in context: Context) {
        guard bytes > 1 << 20 else { return }
        let size = "\((bytes + (1 << 19)) >> 20) MiB"
        context.diagnostics.note("the image is large (\(size)); use --fps, --from or --to to make it smaller")
    }
}
