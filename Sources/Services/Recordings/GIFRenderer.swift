import Core
import Recording
import Runtime
import System
import Terminal

/// Creates an animated GIF: `rsvg-convert` draws the frames; `ffmpeg` computes a common palette and encodes the frames.
///
/// Identical frames are drawn once. The palette is computed in a separate pass, because in a single pass ffmpeg would
/// keep every frame in memory until the palette is complete. All files are in a private directory that is removed at
/// the end.
package struct GIFRenderer: Sendable {
    private let environment: Environment
    private let clock: any Clock<Duration>
    private let diagnostics: any Diagnostics

    /// The maximum number of frames drawn at the same time; drawing a frame uses about 20 MB.
    private static let maximumPrograms = 4
    /// The timeout for drawing a frame, which usually takes a fraction of a second.
    private static let timeout = Duration.seconds(60)
    private static let packingTimeout = Duration.seconds(3600)
    /// The maximum number of different frames; more would take hours.
    private static let maximumFrames = 10_000
    private static let maximumBytes = 1 << 30
    /// The number of frames above which a note says that drawing takes a while.
    private static let manyFrames = 500

    package init(environment: Environment, clock: any Clock<Duration>, diagnostics: any Diagnostics) {
        self.environment = environment
        self.clock = clock
        self.diagnostics = diagnostics
    }

    /// Returns the image.
    ///
    /// - Throws: `not-found` when a program is missing; `io` when it fails; `cannot-create` for too many frames.
    package func image(
        of animation: Animation,
        _ source: RecordingFile,
        theme: Theme,
        isLooping: Bool
    ) async throws(VTError) -> [UInt8] {
        let directory = try PrivateDirectory()
        var frames: [Frame] = []
        // Keyed by hash, because thousands of screens would take gigabytes. With 64 bits and a random seed, two
        // different frames of an animation have the same hash less than once in 10^11 animations.
        var numbers: [Int: Int] = [:]
        let end = try animation.play(source) { screen, time throws(VTError) in
            let screen = screen.picture(of: animation.size)
            let hash = screen.hashValue
            if let last = frames.last, last.number == numbers[hash] { return }
            let number = numbers[hash] ?? numbers.count
            if number == numbers.count {
                guard number < Self.maximumFrames else { throw Self.tooMany }
                numbers[hash] = number
                let svg = SVGRenderer.render(screen, theme: theme)
                try directory.write(Array(svg.utf8), to: "\(number).svg")
            }
            frames.append(Frame(number: number, time: time))
        }
        if numbers.count > Self.manyFrames {
            diagnostics.note(
                "\(source.name): drawing \(numbers.count) different frames, which takes a while; "
                    + "use --fps, --from or --to to reduce the number"
            )
        }
        try await draw(numbers.count, of: source.name, in: directory, theme: theme)
        try directory.write(Array(Self.list(frames, end).utf8), to: "frames")
        diagnostics.progress("\(source.name): encoding \(frames.count) frames")
        return try await pack(in: directory, isLooping: isLooping)
    }

    private struct Frame {
        let number: Int
        let time: Int64
    }

    private static let tooMany = VTError(
        .cannotCreate,
        "the animation has more than \(maximumFrames) different frames",
        hint: "render a part with --from and --to, or use fewer frames: --fps 5"
    )

    /// The frames as input for ffmpeg's concat demuxer (ffmpeg-formats(1)), which ignores the last duration.
    private static func list(_ frames: [Frame], _ end: Int64) -> String {
        var text = "ffconcat version 1.0\n"
        for (index, frame) in frames.enumerated() {
            let next = index + 1 < frames.count ? frames[index + 1].time : end
            text += "file \(frame.number).png\nduration \(max(next - frame.time, 20_000))us\n"
        }
        return text + (frames.last.map { "file \($0.number).png\n" } ?? "")
    }

    // MARK: - Programs

    private func program(_ name: String, in package: String) -> ImageProgram {
        ImageProgram(name: name, package: package, product: "a GIF", environment: environment, clock: clock)
    }

    /// Draws all frames, several at a time, because `rsvg-convert` uses a single processor.
    private func draw(
        _ count: Int,
        of name: String,
        in directory: PrivateDirectory,
        theme: Theme
    ) async throws(VTError) {
        let result = await withTaskGroup(of: Result<Void, VTError>.self) { group in
            for number in 0..<count {
                diagnostics.progress("\(name): drawing frame \(number + 1) of \(count)")
                if number >= Self.maximumPrograms, let result = await group.next(), case .failure = result {
                    group.cancelAll()
                    return result
                }
                group.addTask {
                    await Result { () async throws(VTError) in try await draw(number, in: directory, theme: theme) }
                }
            }
            while let result = await group.next() {
                guard case .failure = result else { continue }
                group.cancelAll()
                return result
            }
            return .success(())
        }
        try result.get()
    }

    private func draw(_ number: Int, in directory: PrivateDirectory, theme: Theme) async throws(VTError) {
        // Without transparent corners, a frame is encoded as the difference from the previous one.
        let words = [
            "--format=png", "--background-color=\(theme.background.text)", "--output=\(number).png", "\(number).svg",
        ]
        try await program("rsvg-convert", in: "librsvg2-bin").run(words, in: directory.path, timeout: Self.timeout)
    }

    private func pack(in directory: PrivateDirectory, isLooping: Bool) async throws(VTError) -> [UInt8] {
        let program = program("ffmpeg", in: "ffmpeg")
        let options = ["-nostdin", "-loglevel", "error"]
        let palette = ["-start_number", "0", "-i", "%d.png", "-vf", "palettegen=stats_mode=full", "palette.png"]
        try await program.run(options + palette, in: directory.path, timeout: Self.packingTimeout)
        // Few colors and no dithering, so that unchanged areas stay identical and each frame is encoded as a
        // difference.
        let words = [
            "-f", "concat", "-i", "frames", "-i", "palette.png", "-fps_mode", "passthrough",
            "-filter_complex", "[0][1]paletteuse=dither=none:diff_mode=rectangle", "-loop",
            isLooping ? "0" : "-1", "out.gif",
        ]
        try await program.run(options + words, in: directory.path, timeout: Self.packingTimeout)
        let image = try OpenFile(reading: "\(directory.path)/out.gif")?.readToEnd(limit: Self.maximumBytes) ?? []
        guard !image.isEmpty else { throw VTError(.io, "ffmpeg did not produce an image") }
        return image
    }
}
