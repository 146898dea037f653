import Core
import Runtime
import Terminal

/// Watches the screen for texts and for changes.
///
/// Output is only fed to the emulator as it arrives. The task that waits is woken and examines the screen at intervals, so
/// that output of any speed is examined about as often as a terminal shows it. During a synchronized update (mode 2026),
/// the screen before the update counts, unless the program does not end it.
final class ScreenConditionWatch: Sendable {
    /// A condition that is met.
    struct Finding: Sendable {
        var condition: WaitCondition
        /// The text that was found, and the line or title that contains it; nil for the absence of a text.
        var text: String?
        var line: String?
        /// Where the text is on the screen.
        var place: ScreenPlace?
    }

    /// What the screen shows.
    struct View: Sendable {
        /// The conditions that are met, in the order of the request.
        var found: [Finding]
        /// Whether all conditions on the screen are met.
        var meetsAll: Bool
        /// The end of the output that is shown.
        var end: UInt64
        /// When the screen had changed.
        var changed: ContinuousClock.Instant
        /// When an update that is in progress counts as ended; nil if there is none.
        var updateLimit: ContinuousClock.Instant?
    }

    private struct State: Sendable {
        var emulator: Emulator
        /// The end of the output that the emulator has processed.
        var end: UInt64
        /// The update in progress, and the screen before it.
        var update: (screen: Screen, end: UInt64, limit: ContinuousClock.Instant)?
        /// Whether there may be something new to examine.
        var isDirty = false
        /// The screen that was examined last, and when it had changed.
        var last: (screen: Screen, changed: ContinuousClock.Instant)?

        mutating func feed(_ bytes: ArraySlice<UInt8>) {
            emulator.feed(bytes.span)
            // The holder answers queries.
            _ = emulator.takeAnswers()
            _ = emulator.takeClipboard()
            end += UInt64(bytes.count)
        }
    }

    private let conditions: [WaitCondition]
    private let scrollback: Int
    /// Returns the current screen, for the start and after missing output.
    private let load: @Sendable () async throws(VTError) -> SessionScreen
    private let state: Monitor<State>

    /// How long a synchronized update can take; terminals end it after about this time, too.
    private static let updateLimit = Duration.seconds(1)
    private static let updateStart = Array("\u{1B}[?2026h".utf8)
    private static let updateEnd = Array("\u{1B}[?2026l".utf8)

    init(
        _ request: WaitRequest,
        load: @escaping @Sendable () async throws(VTError) -> SessionScreen
    ) async throws(VTError) {
        conditions = request.conditions.filter { $0.screenText != nil }
        scrollback = request.scrollback
        self.load = load
        let screen = try await load()
        state = Monitor(State(emulator: screen.emulator(), end: screen.offset))
    }

    // MARK: - Output

    func output(_ bytes: [UInt8], at offset: UInt64) {
        state.update { state in
            let new = bytes.new(at: offset, after: state.end)
            guard !new.isEmpty else { return }
            (state.end, state.isDirty) = (max(state.end, offset), true)
            let open = Self.openUpdate(in: new)
            state.feed(new[..<open])
            if open < new.endIndex {
                let screen = state.emulator.screen(scrollback: scrollback)
                state.update = (screen, state.end, .now + Self.updateLimit)
                state.feed(new[open...])
            }
            if !state.emulator.modes[.synchronized] { state.update = nil }
        }
    }

    /// Where the update starts that is in progress after this output; the end if none starts in it.
    private static func openUpdate(in bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while let escape = rest.lastIndex(of: 0x1B) {
            if bytes[escape...].starts(with: updateStart) { return escape }
            if bytes[escape...].starts(with: updateEnd) { return bytes.endIndex }
            rest = bytes[..<escape]
        }
        return bytes.endIndex
    }

    func resize(to size: TerminalSize) {
        state.update { state in
            state.emulator.resize(to: size)
            state.isDirty = true
        }
    }

    /// Replaces the screen after output that is missing.
    func skip() async throws(VTError) {
        let screen = try await load()
        state.update { state in
            (state.emulator, state.end, state.update) = (screen.emulator(), screen.offset, nil)
            state.isDirty = true
        }
    }

    /// Notes that no more output follows, so that an update in progress has ended.
    func finish() {
        state.update { ($0.update, $0.isDirty) = (nil, true) }
    }

    // MARK: - Examination

    /// Makes the waiting task examine the screen.
    func touch() {
        state.update { $0.isDirty = true }
    }

    /// Suspends until there may be something new to examine.
    func changed() async throws(VTError) {
        try await state.wait { $0.isDirty ? () : nil }
    }

    /// Examines the screen on a separate thread, because an expression can be slow.
    func examine() async throws(VTError) -> View {
        try await onAbandonableThread { self.view() }
    }

    private func view() -> View {
        let (screen, end, changed, limit) = state.withLock { state in
            let now = ContinuousClock.now
            state.isDirty = false
            if let update = state.update, update.limit <= now { state.update = nil }
            let screen = state.update?.screen ?? state.emulator.screen(scrollback: scrollback)
            if state.last?.screen != screen { state.last = (screen, now) }
            return (screen, state.update?.end ?? state.end, state.last?.changed ?? now, state.update?.limit)
        }
        let found = conditions.compactMap { Self.finding($0, on: screen) }
        return View(
            found: found,
            meetsAll: found.count == conditions.count,
            end: end,
            changed: changed,
            updateLimit: limit
        )
    }

    private static func finding(_ condition: WaitCondition, on screen: Screen) -> Finding? {
        switch condition {
        case .screen(let text, let isAbsent):
            let place = screen.places(of: text, limit: 1).first
            guard (place == nil) == isAbsent else { return nil }
            return Finding(condition: condition, text: place?.text, line: place?.line, place: place)
        case .title(let text):
            return text.match(in: screen.title).map { Finding(condition: condition, text: $0, line: screen.title) }
        case .exit, .match, .prompt, .idle: return nil
        }
    }
}
