import Core
import Terminal

/// Renders the screen of a recording at a position.
///
/// For large files, some screens are cached as starting points. The result is always the same as after playing the
/// recording up to that position.
package struct RecordingScreens {
    private let cache: any DerivedCache
    private let diagnostics: any Diagnostics
    private let indexedBytes: Int64
    private let spacingBytes: Int64

    /// The minimum size of a file that gets an index; playing a smaller file takes no noticeable time.
    private static let indexedBytes: Int64 = 4 << 20
    private static let maximumKeyframes: Int64 = 64

    /// Files of at least `indexedBytes` get an index, with a screen every `spacingBytes`; 0 means a spacing that
    /// depends on the file size.
    package init(
        cache: any DerivedCache,
        diagnostics: any Diagnostics,
        indexedBytes: Int64 = RecordingScreens.indexedBytes,
        spacingBytes: Int64 = 0
    ) {
        self.cache = cache
        self.diagnostics = diagnostics
        self.indexedBytes = indexedBytes
        self.spacingBytes = spacingBytes
    }

    /// A screen and its position in the recording.
    package struct Shown: Sendable {
        package var screen: Screen
        /// The time of the last event that the screen reflects.
        package var time: RecordingTime
        /// The number of events that the screen reflects.
        package var events: Int
        package var theme: RecordingTheme?
    }

    /// Returns the screen at a position (nil means the end), with up to `scrollback` rows of scrollback.
    ///
    /// - Throws: `not-found` for a marker or event that does not exist; `data.invalid`, `io`.
    package func screen(
        of source: RecordingFile,
        at position: RecordingPosition?,
        scrollback: Int = 0
    ) throws(VTError) -> Shown {
        // Keyframes do not contain scrollback.
        let index = scrollback == 0 ? try index(of: source) : nil
        let point = try point(position, source, index)
        if let index, let shown = try replay(source, index, to: point) { return shown }
        return try replay(source, to: point, scrollback)
    }

    private func point(
        _ position: RecordingPosition?,
        _ source: RecordingFile,
        _ index: KeyframeIndex?
    ) throws(VTError) -> RecordingPoint {
        guard let position else { return RecordingPoint(time: .latest) }
        if let index { return try index.resolve(position) }
        var survey = RecordingSurvey(for: [position])
        if position.needsSurvey {
            try source.forEach { item throws(VTError) in
                if case .event(let event) = item { survey.take(event) }
                return true
            }
        }
        return try survey.resolve(position)
    }

    // MARK: - From the start

    private func replay(
        _ source: RecordingFile,
        to point: RecordingPoint,
        _ scrollback: Int
    ) throws(VTError) -> Shown {
        var terminal: RecordingTerminal?
        var theme: RecordingTheme?
        var (time, events) = (RecordingTime.start, 0)
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header):
                terminal = RecordingTerminal(header)
                theme = header.theme
            case .event(let event):
                guard point.includes(events + 1, event.time) else { return false }
                terminal?.take(event)
                (time, events) = (event.time, events + 1)
            }
            return true
        }
        guard let terminal else { throw VTError(.dataInvalid, "\(source.name): the recording is empty") }
        return Shown(
            screen: terminal.emulator.screen(scrollback: scrollback),
            time: time,
            events: events,
            theme: theme
        )
    }

    // MARK: - From a keyframe

    /// Returns nil if there is no keyframe before the position, or if the size changes after the keyframe, because rows
    /// that left the screen might reappear.
    private func replay(
        _ source: RecordingFile,
        _ index: KeyframeIndex,
        to point: RecordingPoint
    ) throws(VTError) -> Shown? {
        guard let keyframe = index.keyframe(before: point) else { return nil }
        var terminal = RecordingTerminal(keyframe.state.emulator())
        var reader = AsciicastReader(source.policy)
        reader.append(index.header)
        guard case .header(let header) = try reader.next() else { return nil }
        var (time, events) = (keyframe.time, keyframe.number)
        var isDone = false
        var isResized = false
        try source.forEachChunk(from: keyframe.offset) { chunk throws(VTError) in
            if chunk.isEmpty { reader.finish() } else { reader.append(chunk) }
            while !isDone, let item = try source.naming({ () throws(VTError) in try reader.next() }) {
                guard case .event(var event) = item else { continue }
                event.time = index.isRelative ? keyframe.time + event.time : max(keyframe.time, event.time)
                isDone = !point.includes(events + 1, event.time)
                guard !isDone else { break }
                if case .resize(let size) = event.content, size != terminal.emulator.size {
                    (isDone, isResized) = (true, true)
                }
                terminal.take(event)
                (time, events) = (event.time, events + 1)
            }
            return !isDone
        }
        guard !isResized else { return nil }
        return Shown(screen: terminal.emulator.screen(), time: time, events: events, theme: header.theme)
    }

    // MARK: - The index

    /// The index of a file, from the cache or newly created; nil if the file has none.
    private func index(of source: RecordingFile) throws(VTError) -> KeyframeIndex? {
        guard let file = try source.identity(), file.sizeBytes >= indexedBytes else { return nil }
        var key: [UInt8] = []
        key.appendBigEndian(file.device)
        key.appendBigEndian(file.inode)
        // An index built by a lenient reader can omit errors that a strict reader must report.
        key.append(source.policy == .strict ? 0 : 1)
        let name = String(KeyframeIndex.checksum(key[...]), radix: 16)
        if let kept = cache.contents(name), let index = KeyframeIndex(decoding: kept, for: file) { return index }
        guard let index = try build(source, file) else { return nil }
        do throws(VTError) {
            try cache.keep(index.bytes, as: name)
        } catch {
            // Not an error: without a stored index, the next call takes as long as this one.
            diagnostics.detail("\(source.name): cannot store the index: \(error.message)")
        }
        return index
    }

    private func build(_ source: RecordingFile, _ file: RecordingFile.Identity) throws(VTError) -> KeyframeIndex? {
        let spacing = spacingBytes > 0 ? spacingBytes : max(1 << 20, file.sizeBytes / Self.maximumKeyframes)
        var builder = KeyframeIndexBuilder(file, source.policy, spacingBytes: spacing)
        var read: Int64 = 0
        try source.forEachChunk { chunk throws(VTError) in
            read += Int64(chunk.count)
            diagnostics.progress("\(source.name): scanning, \(read * 100 / max(file.sizeBytes, 1))%")
            return try source.naming { () throws(VTError) in
                defer { source.hasHeader = source.hasHeader || builder.hasHeader }
                return try builder.take(chunk)
            }
        }
        guard builder.isPossible else { return nil }
        source.finish(builder.notes)
        return builder.finished()
    }
}
