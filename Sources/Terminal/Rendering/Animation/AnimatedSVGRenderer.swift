import Core

/// Writes a film of screens as one SVG image that stands alone: styles and keyframes of CSS, nothing else moves it.
///
/// Each row of the screen is a lane: what ever stood in it, each shown while it stood there. A row that is in several
/// places is written once where that is smaller. A viewer that knows no animation, or was asked for less motion, shows
/// the last screen. Of what is added, the different rows are kept as they will be written, and when they change: the
/// memory it takes is near the size of the image, which is bounded.
package struct AnimatedSVGRenderer {
    package struct Options: Sendable {
        package var theme = Theme.standard
        package var title = "vt"
        package var isLooping = true
        /// An image that would become larger is refused.
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
    private var last: (rows: [ScreenRow], isReversed: Bool)?
    private var columns = 0

    package init(_ options: Options = Options()) {
        self.options = options
    }

    /// Adds what is shown from a time on; times are in microseconds since the start of the film, and rise.
    ///
    /// - Throws: `cannot-create` when the image becomes too large.
    package mutating func add(_ screen: Screen, at microseconds: Int64) throws(VTError) {
        if let time = times.last, time >= microseconds { return }
        let frame = Int32(times.count)
        times.append(microseconds)
        let isReversed = screen.modes[.reverseVideo]
        columns = max(columns, screen.size.columns)
        while lanes.count < screen.rows.count { lanes.append(AnimationLane()) }
        for y in lanes.indices {
            let row = y < screen.rows.count ? screen.rows[y] : nil
            if let last, last.isReversed == isReversed, y < last.rows.count, row == last.rows[y] { continue }
            let content = row.flatMap { contents.number(of: $0, isReversed, options.theme, &looks) }
            lanes[y].show(content, from: frame)
        }
        backdrop.show(isReversed ? 0 : nil, from: frame)
        cursor.show(screen, at: microseconds)
        last = (screen.rows, isReversed)
        guard sizeBytes <= options.limitBytes else {
            throw VTError(
                .cannotCreate,
                "the animation becomes larger than \(options.limitBytes >> 20) MiB",
                hint: "render a part of it with '--from' and '--to', or with fewer frames: '--fps 5'"
            )
        }
    }

    /// About what is kept.
    private var sizeBytes: Int {
        contents.byteCount + (lanes.reduce(0) { $0 + $1.changes.count } + cursor.moves.count + times.count) * 32
    }

    // MARK: - The document

    /// Returns the image of a film that ends at a time, in microseconds since its start.
    package func document(endingAt end: Int64) -> String {
        let clock = AnimationClock(times: times, end: max(end, (times.last ?? 0) + 1))
        let body = AnimationBody(lanes, contents, looks, clock)
        var keyframes = Keyframes(clock, prefix: "r-")
        let reversed = backdrop.items { [$0] }.map { item in
            let classes = item.classes(&keyframes).joined(separator: " ")
            return "<g><path class=\"\(classes)\" d=\"M-15-15h\(width)v\(height)h-\(width)z\"/></g>\n"
        }
        return head(body.rules + keyframes.rules, clock)
            + (body.definitions.isEmpty ? "" : "<defs>\n\(body.definitions)</defs>\n")
            + "<g id=\"_\" fill=\"\(options.theme.foreground.text)\" stroke-width=\"20\" shape-rendering=\"crispEdges\" "
            + "font-size=\"16.6\" font-family=\"'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace\">\n"
            + reversed.joined() + body.rows + cursor.markup(clock, options.theme) + "</g>\n</svg>\n"
    }

    /// In units of a tenth of a cell's width, with what is around the screen.
    private var width: Int { max(columns, 1) * AnimatedRow.width + 30 }
    private var height: Int { max(lanes.count, 1) * AnimatedRow.height + 30 }

    private func head(_ rules: String, _ clock: AnimationClock) -> String {
        // A cell is 8 by 16 pixels: boxes and backgrounds meet without seams.
        let (pixelWidth, pixelHeight) = (Markup.length(width * 80), Markup.length(height * 80))
        // Longhands: a shorthand would take the names away that classes give.
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
