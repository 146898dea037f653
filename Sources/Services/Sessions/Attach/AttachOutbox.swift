import Core
import POSIX

/// What a client still has to say to the holder, across the links that break in between.
///
/// Input stays here until it is acknowledged; after a link was lost it goes out again with the sequence numbers it had,
/// by which the holder knows what it has taken. Whoever typed last decides the size: when another client has changed it,
/// ours is sent again before our next input.
final class AttachOutbox: Sendable {
    private struct Input: Sendable {
        var sequence: UInt64
        var bytes: [UInt8]
    }

    private struct State: Sendable {
        /// Not acknowledged yet, in order.
        var inputs: [Input] = []
        /// How many of them were sent over the present link.
        var sentCount = 0
        var lastSequence: UInt64 = 0
        /// The size of the client's terminal; nil: it has no say.
        var size: TerminalSize?
        /// What the holder was last told; nil: nothing.
        var sentSize: TerminalSize?
        /// Whether the session has the size that another client wanted.
        var isForeignSize = false
        var isConnected = false
        /// The colors of the client's terminal, and whether the holder of the present link is to hear them.
        var colors: TerminalColors?
        var takesColors = false
        var redraws = false
        var owesColors = false
        /// Whether the holder is to show the screen once more.
        var wantsScreen = false
        var isChecked = false

        var pendingBytes: Int {
            inputs.reduce(0) { $0 + $1.bytes.count }
        }

        mutating func next() -> SessionFrame? {
            guard isConnected else { return nil }
            if let colors, owesColors {
                owesColors = false
                return .colors(colors)
            }
            let hasInput = sentCount < inputs.count
            if wantsScreen {
                wantsScreen = false
                return .redraw
            }
            if let size, isForeignSize ? hasInput : size != sentSize {
                sentSize = size
                isForeignSize = false
                return .resize(columns: UInt16(size.columns), rows: UInt16(size.rows))
            }
            guard hasInput else { return nil }
            let input = inputs[sentCount]
            sentCount += 1
            return .input(sequence: input.sequence, isChecked: isChecked, bytes: input.bytes)
        }
    }

    private let monitor = Monitor(State())
    /// The same bytes that are pending, for the task that waits for fewer of them.
    private let pending = Monitor(0)

    /// The most input that is not acknowledged; more waits to be read.
    static let limitBytes = 256 << 10

    /// `isChecked`: input that the terminal would drop is to be refused.
    init(size: TerminalSize?, isChecked: Bool) {
        monitor.withLock { state in
            state.size = size
            state.isChecked = isChecked
        }
    }

    /// Bytes that the holder has not said to be in the terminal.
    var pendingBytes: Int {
        pending.withLock { $0 }
    }

    /// Takes input, once there is room for it.
    func add(_ bytes: ArraySlice<UInt8>) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        try await pending.wait { $0 < Self.limitBytes ? () : nil }
        monitor.update { state in
            state.lastSequence += 1
            state.inputs.append(Input(sequence: state.lastSequence, bytes: Array(bytes)))
        }
        tellPending()
    }

    /// Returns when all input has been acknowledged.
    func drained() async throws(VTError) {
        try await pending.wait { $0 == 0 ? () : nil }
    }

    /// Takes over a new size of the client's terminal.
    func resize(_ size: TerminalSize) {
        monitor.update { $0.size = size }
    }

    /// Tells the holder, and those of later links, the colors of the client's terminal.
    func tell(_ colors: TerminalColors) {
        monitor.update { state in
            state.colors = colors
            state.owesColors = state.takesColors
        }
    }

    /// Asks for the screen once more, where the holder can show it.
    func redraw() {
        monitor.update { $0.wantsScreen = $0.redraws }
    }

    /// Returns the next frame for the present link, as soon as there is one.
    func next() async throws(VTError) -> SessionFrame {
        try await monitor.wait { $0.next() }
    }

    // MARK: - The link

    /// The size to attach with; nil leaves the session's.
    func sizeToAttach() -> TerminalSize? {
        monitor.withLock { state in
            guard !state.isForeignSize else { return nil }
            state.sentSize = state.size
            return state.size
        }
    }

    /// Begins to speak on a new link, with all that was not acknowledged.
    ///
    /// That includes input which the holder has taken before: it acknowledges that once the terminal has it.
    ///
    /// `features` are those of the holder.
    func connect(_ features: UInt64) {
        monitor.update { state in
            state.takesColors = features & SessionFrame.Feature.takesColors != 0
            state.owesColors = state.takesColors
            state.redraws = features & SessionFrame.Feature.redraws != 0
            state.wantsScreen = false
            state.sentCount = 0
            state.isConnected = true
        }
    }

    func disconnect() {
        monitor.update { $0.isConnected = false }
    }

    func accepted(_ sequence: UInt64) {
        monitor.update { state in
            let count = state.inputs.prefix { $0.sequence <= sequence }.count
            state.inputs.removeFirst(count)
            state.sentCount = max(0, state.sentCount - count)
        }
        tellPending()
    }

    /// Hears that the session has a new size.
    func resized(_ size: TerminalSize) {
        monitor.update { state in
            guard state.size != nil else { return }
            state.isForeignSize = size != state.sentSize
        }
    }

    private func tellPending() {
        pending.update { count in count = monitor.withLock { $0.pendingBytes } }
    }
}
