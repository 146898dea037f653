import Arguments
import Core
import Recording
import Services
import System
import Terminal

/// Renders a recording as an image or page: `vt cast render FILE`.
package struct CastRenderCommand: Command {
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

    private let file: String
    private let format: Format
    private let positions: [RecordingPosition]
    private let film: AnimationRequest
    private let theme: Theme?
    private let isLooping: Bool
    private let policy: RecordingPolicy
    private let result: CastResult

    package init(_ arguments: ParsedArguments) throws(VTError) {
        file = try arguments.operand("FILE")
        result = try CastResult(arguments)
        if let given = try arguments[Self.format] {
            format = given
        } else {
            format = try Self.format(of: result.path) ?? .svg
        }
        positions = try arguments[Self.at]
        theme = try arguments[Self.theme]
        isLooping = !arguments[Self.noLoop]
        policy = CastOperand.policy(arguments)
        film = try Self.film(arguments, framesPerSecond: format == .gif ? 15 : 30)
        if format != .html, !positions.isEmpty {
            throw VTError(
                .usage,
                "--at requires --format html",
                hint: "for a single image, use 'vt cast screen FILE --at POSITION --format svg'"
            )
        }
        if format == .html, let option = Self.filmOptions.first(where: arguments.contains)?.long {
            throw VTError(
                .usage,
                "--\(option) cannot be used with --format html",
                hint: "remove --\(option), and add --at POSITION for each still"
            )
        }
    }

    private static func film(_ arguments: ParsedArguments, framesPerSecond: Int) throws(VTError) -> AnimationRequest {
        var film = AnimationRequest()
        film.from = try arguments[SharedOptions.from]
        film.to = try arguments[SharedOptions.to]
        film.size = try arguments[size]
        film.speed = try arguments[speed] ?? 1
        film.idleLimit = try arguments[idleLimit]
        film.framesPerSecond = try arguments[fps] ?? framesPerSecond
        return film
    }

    private static func format(of path: String?) throws(VTError) -> Format? {
        guard let path, let name = path.fileNameEnding else { return nil }
        guard let format = Format(rawValue: name) else {
            throw VTError(
                .usage,
                "'\(path)' does not end in .svg, .gif or .html",
                hint: "use another file name, or add --format"
            )
        }
        return format
    }

    package func signalHandling(on console: Console) -> SignalHandling {
        // A signal must stop the programs that render a GIF and remove their files.
        format == .gif ? .cancel : .none
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        if format == .gif, result.path == nil, context.console.output.isTerminal {
            throw VTError(.usage, "cannot write a GIF to a terminal", hint: "add --output OUT.gif")
        }
        try await result.write(in: context) { write async throws(VTError) in
            let source = try RecordingFile(
                opening: file,
                policy: policy,
                isReadAgain: true,
                diagnostics: context.diagnostics
            )
            switch format {
            case .svg: try write(try svg(of: source, in: context))
            case .html: try write(try html(of: source))
            case .gif: try write(try await gif(of: source, in: context))
            }
        }
        return 0
    }

    // MARK: - Formats

    private func svg(of source: RecordingFile, in context: Context) throws(VTError) -> [UInt8] {
        let film = try Animation(source, film)
        var options = AnimatedSVGRenderer.Options()
        options.theme = colors(film.header)
        options.title = film.header.title ?? film.header.command ?? (file == "-" ? "vt" : file)
        options.isLooping = isLooping
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

    private func gif(of source: RecordingFile, in context: Context) async throws(VTError) -> [UInt8] {
        let film = try Animation(source, film)
        let encoder = GIFRenderer(
            environment: context.console.environment,
            clock: context.dependencies.clock,
            diagnostics: context.diagnostics
        )
        let bytes = try await encoder.image(of: film, source, theme: colors(film.header), isLooping: isLooping)
        warnIfLarge(bytes.count, in: context)
        return bytes
    }

    private func html(of source: RecordingFile) throws(VTError) -> [UInt8] {
        var stills: [HTMLRenderer.CaptionedScreen] = []
        var colors = theme
        for position in positions.isEmpty ? [nil] : positions.map({ Optional($0) }) {
            let shown = try source.screen(at: position)
            colors = colors ?? shown.theme.flatMap { Theme(recorded: $0) }
            stills.append(HTMLRenderer.CaptionedScreen(caption: "\(shown.time.text()) s", screen: shown.screen))
        }
        let title = file == "-" ? "vt" : file
        return Array(HTMLRenderer.page(stills, title: title, theme: colors ?? .standard).utf8)
    }

    private func colors(_ header: RecordingHeader) -> Theme {
        theme ?? header.theme.flatMap { Theme(recorded: $0) } ?? .standard
    }

    /// Warns if an image is large for a web page.
    private func warnIfLarge(_ bytes: Int, in context: Context) {
        guard bytes > 1 << 20 else { return }
        let size = "\((bytes + (1 << 19)) >> 20) MiB"
        context.diagnostics.note("the image is large (\(size)); use --fps, --from or --to to make it smaller")
    }
}
