import Core

/// Renders a sequence of screens as one self-contained SVG image, animated only by CSS.
///
/// Each row position is a lane that contains all rows ever shown there, each visible for as long as it was on the
/// screen. A row shown in several places is written once if that is shorter. Viewers without animation, or with reduced
/// motion, show the last screen. Only the distinct rows, in their final form, and the times of their changes are kept:
/// memory use is close to the size of the image, which is limited.
package struct AnimatedSVGRenderer {
    package struct Options: Sendable {
        package var theme = Theme.standard
        package var title = "vt"
        package var isLooping = true
        /// The maximum size of the image; a larger one is rejected.
        package var limitBytes = 128 << 20

        package init() {}
    }

    private let options: Options
    private var looks = LookNames()
    private var contents = RowContents()
    private var lanes: [AnimationLane] = []
    private var backdrop = AnimationLane()
    private var cursor = CursorTrack()
    private var times: [Int64] = []
    private var last: (rows: [ScreenRow], isReversed: Bool, theme: Theme)?
    /// The backgrounds of the screen other than that of the theme.
    private var backgrounds: [Theme.RGB] = []
    private var columns = 0

    package init(_ options: Options = Options()) {
        self.options = options
    }

    /// Adds a screen that is shown from the given time, in microseconds since the start of the animation.
    ///
    /// A screen that is not later than the previous one is ignored.
    ///
    /// - Throws: `cannot-create` when the image becomes too large.
    package mutating func add(_ screen: Screen, at microseconds: Int64) throws(VTError) {
        if let time = times.last, time >= microseconds { return }
        let frame = Int32(times.count)
        times.append(microseconds)
        let isReversed = screen.modes[.reverseVideo]
        let theme = options.theme.with(screen.colors)
        columns = max(columns, screen.size.columns)
        while lanes.count < screen.rows.count { lanes.append(AnimationLane()) }
        for y in lanes.indices {
            let row = y < screen.rows.count ? screen.rows[y] : nil
            if let last, last.isReversed == isReversed, last.theme == theme, y < last.rows.count, row == last.rows[y] {
                continue
            }
            let content = row.flatMap {
                contents.number(of: $0, isReversed, theme, usual: options.theme.foreground, &looks)
            }
            lanes[y].show(content, from: frame)
        }
        backdrop.show(backgroundNumber(isReversed ? theme.foreground : theme.background), from: frame)
        cursor.show(screen, at: microseconds)
        last = (screen.rows, isReversed, theme)
        guard sizeBytes <= options.limitBytes else {
            throw VTError(
                .cannotCreate,
                "the animation would be larger than \(options.limitBytes >> 20) MiB",
                hint: "render a part with --from and --to, or use fewer frames: --fps 5"
            )
        }
    }

    /// The index of a background of the screen; nil for that of the theme.
    private mutating func backgroundNumber(_ color: Theme.RGB) -> Int? {
        guard color != options.theme.background else { return nil }
        if let number = backgrounds.firstIndex(of: color) { return number }
        backgrounds.append(color)
        return backgrounds.count - 1
    }

    /// The approximate size of the kept data, in bytes.
    private var sizeBytes: Int {
        contents.byteCount + (lanes.reduce(0) { $0 + $1.changes.count } + cursor.moves.count + times.count) * 32
    }

    // MARK: - Document

    /// Returns the image; the animation ends at this time, in microseconds since its start.
    package func document(endingAt end: Int64) -> String {
        let clock = AnimationClock(times: times, end: max(end, (times.last ?? 0) + 1))
        let body = AnimationBody(lanes, contents, looks, clock)
        var keyframes = Keyframes(clock, prefix: "r-")
        let reversed = backdrop.items { [$0] }.map { item in
            let classes = item.classes(&keyframes).joined(separator: " ")
            let color = backgrounds[item.content]
            let fill = color == options.theme.foreground ? "" : " fill=\"\(color.shortText)\""
            return "<g><path class=\"\(classes)\"\(fill) d=\"M-15-15h\(width)v\(height)h-\(width)z\"/></g>\n"
        }
        return head(body.rules + keyframes.rules, clock)
            + (body.definitions.isEmpty ? "" : "<defs>\n\(body.definitions)</defs>\n")
            + "<g id=\"_\" fill=\"\(options.theme.foreground.text)\" stroke-width=\"20\" shape-rendering=\"crispEdges\" "
            + "font-size=\"16.6\" font-family=\"'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace\">\n"
            + reversed.joined() + body.rows + cursor.markup(options.theme) + "</g>\n</svg>\n"
    }

    /// The width of the image, including the border around the screen, in tenths of a cell's width.
    private var width: Int { max(columns, 1) * AnimatedRow.width + 30 }
    /// The height of the image, including the border around the screen, in tenths of a cell's width.
    private var height: Int { max(lanes.count, 1) * AnimatedRow.height + 30 }

    private func head(_ rules: String, _ clock: AnimationClock) -> String {
        // A cell is 8 by 16 pixels, so that boxes and backgrounds meet without seams.
        let (pixelWidth, pixelHeight) = (Markup.length(width * 80), Markup.length(height * 80))
        // Use longhand properties, because a shorthand would reset the animation names set by classes.
        let pace =
            "animation-duration:\(clock.duration);animation-timing-function:step-end;"
            + (options.isLooping ? "animation-iteration-count:infinite" : "animation-fill-mode:forwards")
        let moving =
            times.count < 2
            ? ""
            : """
            #_>g>*,#_c{\(pace)}
            #_>g>*{visibility:hidden}
            #_>g>._{visibility:visible}
            \(cursor.rules(clock))@media(prefers-reduced-motion:reduce){*{animation:none!important}}

            """
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(pixelWidth)" height="\(pixelHeight)" \
            viewBox="-15 -15 \(width) \(height)" role="img">
            <title>\(Markup.escaped(options.title))</title>
            <style>
            \(moving)\(rules)</style>
            <rect x="-15" y="-15" width="\(width)" height="\(height)" rx="7" fill="\(options.theme.background.text)"/>

            """
    }
}
