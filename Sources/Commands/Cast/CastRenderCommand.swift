import Arguments
import Core
import POSIX
import Recording
import Services
import Terminal

/// Makes an image or a page of a recording: `vt cast render FILE`.
package struct CastRenderCommand: Command {
    package static let spec = CommandSpec(
        ["cast", "render"],
        summary: "make an animated image of a recording",
        description: [
            CastOperand.explanation,
            "As svg it is one file that moves by itself wherever a browser shows images, without scripts or fonts of its "
                + "own; what cannot move, or was asked for less motion, shows the last screen. As gif it is drawn by "
                + "rsvg-convert and packed by ffmpeg, which have to be there. As html it is a page with still screens, "
                + "whose text can be copied. The format is that of OUT where its name ends in .svg, .gif or .html.",
            "Pauses are shortened to five seconds, or what the recording says, and the last screen stays for three "
                + "seconds. The colours are those of the terminal that was recorded, where the recording has them.",
            CastOperand.positions,
        ],
        operands: [CastOperand.file],
        options: CastOptions.output + [
            OptionSpec(
                "format",
                value: ValueSpec("FORMAT", choices: Format.allCases.map(\.rawValue), defaultText: "svg"),
                summary: "make an animated SVG or GIF image, or a page of stills"
            ),
            OptionSpec(
                "at",
                value: ValueSpec("POSITION", defaultText: "100%"),
                isRepeatable: true,
                excludes: filmOptions,
                summary: "a position whose screen is on the page, for html"
            ),
            OptionSpec("from", value: ValueSpec("POSITION"), summary: "begin at this position"),
            OptionSpec("to", value: ValueSpec("POSITION"), summary: "end at this position"),
            OptionSpec(
                "theme",
                value: ValueSpec("NAME", choices: Theme.all.map(\.name)),
                summary: "take the colours of this theme"
            ),
            OptionSpec(
                "size",
                value: ValueSpec("COLSxROWS"),
                summary: "show a terminal of this size, whatever was recorded"
            ),
            OptionSpec("speed", value: ValueSpec("FACTOR", defaultText: "1"), summary: "play so many times as fast"),
            OptionSpec("idle-limit", value: ValueSpec("DURATION"), summary: "shorten pauses to this"),
            OptionSpec(
                "fps",
                value: ValueSpec("FRAMES", defaultText: "30"),
                summary: "show at most so many frames a second, 1 to 30; a GIF has 15"
            ),
            OptionSpec("no-loop", summary: "play once, and stay at the last screen"),
            CastOperand.lenient,
        ],
        examples: [
            ExampleSpec("vt cast render demo.cast -o demo.svg", "for a page or a README"),
            ExampleSpec("vt cast render demo.cast --from 1:20 --to -5 --speed 2 -o demo.gif", "a part, twice as fast"),
            ExampleSpec("vt cast render demo.cast --at 10 --at marker:done -o stills.html", "two screens on a page"),
        ],
        exitCodes: CastOptions.exitCodes + [.timedOut]
    )

    enum Format: String, CaseIterable {
        case svg, gif, html
    }

    private static let filmOptions = ["from", "to", "speed", "idle-limit", "fps", "no-loop", "size"]

    private let file: String
    private let format: Format
    private let positions: [RecordingPosition]
    private let film: FilmRequest
    private let theme: Theme?
    private let isLooping: Bool
    private let policy: RecordingPolicy
    private let result: CastResult

    package init(_ arguments: ParsedArguments) throws(VTError) {
        file = try arguments.operand("FILE")
        result = try CastResult(arguments)
        if let given = arguments.choice("format", of: Format.self) {
            format = given
        } else {
            format = try Self.format(of: result.path) ?? .svg
        }
        positions = try arguments.values("at", parse: CastOperand.position)
        theme = arguments.value("theme").flatMap { Theme.named($0) }
        isLooping = !arguments.flag("no-loop")
        policy = CastOperand.policy(arguments)
        film = try CastRenderOptions.film(arguments, framesPerSecond: format == .gif ? 15 : 30)
        if format != .html, !positions.isEmpty {
            throw VTError(.usage, "--at is for html", hint: "vt cast screen FILE --at POSITION --format svg")
        }
        if format == .html, let option = Self.filmOptions.first(where: { arguments.flag($0) }) {
            throw VTError(.usage, "--\(option) has no meaning for html", hint: "add --at POSITION, once for each still")
        }
        if format == .gif, result.path == nil, StandardStream.output.isTerminal {
            throw VTError(.usage, "a GIF is not for a terminal", hint: "add --output OUT.gif")
        }
    }

    private static func format(of path: String?) throws(VTError) -> Format? {
        guard let path, let name = FileName.ending(of: path) else { return nil }
        guard let format = Format(rawValue: name) else {
            throw VTError(
                .usage,
                "'\(path)' would be no .\(name): what is written is .svg, .gif or .html",
                hint: "name another file, or say --format"
            )
        }
        return format
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        // A signal ends what draws a GIF, and takes away its files.
        let interrupts = format == .gif ? try Interrupts() : nil
        try await result.write(in: context) { write async throws(VTError) in
            switch format {
            case .svg: try write(try svg(context))
            case .html: try write(try html(context))
            case .gif:
                guard let interrupts else { return }
                let (image, signal) = await interrupts.run { () async throws(VTError) in try await gif(context) }
                if let signal { SignalThread.die(of: signal) }
                try write(try image.get())
            }
        }
        return 0
    }

    // MARK: - Formats

    private func svg(_ context: Context) throws(VTError) -> [UInt8] {
        let source = try CastSource(file, policy: policy, context.diagnostics)
        let film = try CastFilm(source, film)
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
        note(bytes.count, context)
        return bytes
    }

    private func gif(_ context: Context) async throws(VTError) -> [UInt8] {
        let source = try CastSource(file, policy: policy, context.diagnostics)
        let film = try CastFilm(source, film)
        var options = GIFRenderer.Options()
        options.theme = colors(film.header)
        options.isLooping = isLooping
        let renderer = GIFRenderer(options, environment: .process, diagnostics: context.diagnostics)
        let bytes = try await renderer.image(of: film, source)
        note(bytes.count, context)
        return bytes
    }

    private func html(_ context: Context) throws(VTError) -> [UInt8] {
        let source = try CastSource(file, policy: policy, context.diagnostics)
        let service = CastScreenService(cache: try context.services.keyframeCache(), diagnostics: context.diagnostics)
        var stills: [HTMLRenderer.Still] = []
        var colors = theme
        for position in positions.isEmpty ? [nil] : positions.map({ Optional($0) }) {
            let shown = try service.screen(of: source, at: position)
            colors = colors ?? shown.theme.flatMap { Theme(recorded: $0) }
            stills.append(HTMLRenderer.Still(caption: "\(shown.time.text()) s", screen: shown.screen))
        }
        let title = file == "-" ? "vt" : file
        return Array(HTMLRenderer.page(stills, title: title, theme: colors ?? .standard).utf8)
    }

    private func colors(_ header: RecordingHeader) -> Theme {
        theme ?? header.theme.flatMap { Theme(recorded: $0) } ?? .standard
    }

    /// Images that pages load before anybody looks at them should be small.
    private func note(_ bytes: Int, _ context: Context) {
        guard bytes > 1 << 20 else { return }
        let size = "\((bytes + (1 << 19)) >> 20) MiB"
        context.diagnostics.note("the image has \(size); --fps, --from and --to make it smaller")
    }
}
