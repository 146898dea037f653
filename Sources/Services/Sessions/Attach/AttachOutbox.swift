import Core
import Runtime

/// Frames that a client sends to the holder, and that must not be lost when the client reconnects.
///
/// Input is kept until it is acknowledged; after a lost connection, it is sent again with the same sequence numbers, by
/// which the holder recognizes input it has already received. The most recently active client determines the session's
/// size: if another client has changed it, this client's size is sent again before its next input.
final class AttachOutbox: Sendable {
    private struct Input: Sendable {
        var sequence: UInt64
        var bytes: [UInt8]
    }

    private struct State: Sendable {
        /// Unacknowledged input, in order.
        var inputs: [Input] = []
        /// The number of these inputs that were sent over the current connection.
        var sentCount = 0
        var lastSequence: UInt64 = 0
        /// The size of the client's terminal; nil if it does not set the size.
        var size: TerminalSize?
        /// The last size sent to the holder; nil if none.
        var sentSize: TerminalSize?
        /// Whether the session has the size of another client.
        var isForeignSize = false
        var isConnected = false
        /// The colors of the client's terminal; nil until they are known.
        var colors: TerminalColors?
        /// Whether the current connection's holder accepts colors.
        var takesColors = false
        /// Whether the current connection's holder can send the screen again.
        var redraws = false
        /// Whether the colors, once known, must be sent over the current connection.
        var owesColors = false
        /// Whether to request the screen again.
        var wantsScreen = false
        var isChecked = false
        /// The number of markers to add.
        var markers = 0
        /// Whether the current connection's holder supports markers.
        var takesMarkers = false
        var answer: QuestionRequest?

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
                return .resize(size)
            }
            guard hasInput else {
                if let answer = answer.take() { return .ask(answer) }
                guard markers > 0, takesMarkers else { return nil }
                markers -= 1
                return .marker("")
            }
            let input = inputs[sentCount]
            sentCount += 1
            return .input(sequence: input.sequence, isChecked: isChecked, bytes: input.bytes)
        }
    }

    private let monitor = Monitor(State())
    /// The number of pending bytes, for the task that waits for it to decrease.
    private let pending = Monitor(0)

    /// The amount of unacknowledged input at which `add` waits.
    static let limitBytes = 256 << 10

    /// With `isChecked`, the holder rejects input with a line that is too long for the terminal.
    init(size: TerminalSize?, isChecked: Bool) {
        monitor.withLock { state in
            state.size = size
            state.isChecked = isChecked
        }
    }

    /// The number of bytes that the holder has not acknowledged.
    var pendingBytes: Int {
        pending.withLock { $0 }
    }

    /// Adds input, once there is room for it.
    func add(_ bytes: ArraySlice<UInt8>) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        try await pending.wait { $0 < Self.limitBytes ? () : nil }
        append(bytes)
    }

    /// Adds input and returns its sequence number, or nil if there is no room for it.
    func addIfRoom(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        pendingBytes < Self.limitBytes ? append(bytes) : nil
    }

    @discardableResult
    private func append(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        defer { notifyPending() }
        return monitor.update { state in
            state.lastSequence += 1
            state.inputs.append(Input(sequence: state.lastSequence, bytes: Array(bytes)))
            return state.lastSequence
        }
    }

    /// Returns when all input has been acknowledged.
    func drained() async throws(VTError) {
        try await pending.wait { $0 == 0 ? () : nil }
    }

    /// The size of the client's terminal.
    var size: TerminalSize? { monitor.withLock { $0.size } }

    /// Records a new size of the client's terminal.
    func resize(_ size: TerminalSize) {
        monitor.update { $0.size = size }
    }

    /// Sends the colors of the client's terminal to the current and later holders.
    func send(_ colors: TerminalColors) {
        monitor.update { state in
            state.colors = colors
            state.owesColors = state.takesColors
        }
    }

    /// Adds a marker after the input so far, once a holder that supports markers is connected.
    func mark() {
        monitor.update { $0.markers += 1 }
    }

    /// Answers a question after the input so far.
    func answer(_ answer: QuestionRequest) {
        monitor.update { $0.answer = answer }
    }

    /// The number of markers that have not been sent.
    var unsentMarkers: Int { monitor.withLock { $0.markers } }

    /// Requests the screen again, if the holder supports it.
    func redraw() {
        monitor.update { $0.wantsScreen = $0.redraws }
    }

    /// Returns the next frame for the current connection, as soon as there is one.
    func next() async throws(VTError) -> SessionFrame {
        try await monitor.wait { $0.next() }
    }

    // MARK: - Connection

    /// The size to attach with; nil leaves the session's size unchanged.
    func sizeToAttach() -> TerminalSize? {
        monitor.withLock { state in
            guard !state.isForeignSize else { return nil }
            state.sentSize = state.size
            return state.size
        }
    }

    /// Starts sending over a new connection, beginning with all unacknowledged input.
    ///
    /// This includes input that the holder has already received; the holder acknowledges it once it has been written to
    /// the terminal.
    ///
    /// `features` are the holder's features.
    func connect(_ features: UInt64) {
        monitor.update { state in
            state.takesColors = features & SessionFrame.Feature.takesColors != 0
            state.owesColors = state.takesColors
            state.redraws = features & SessionFrame.Feature.redraws != 0
            state.takesMarkers = features & SessionFrame.Feature.takesMarkers != 0
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
        notifyPending()
    }

    /// Records that the session has a new size.
    func resized(_ size: TerminalSize) {
        monitor.update { state in
            guard state.size != nil else { return }
            state.isForeignSize = size != state.sentSize
        }
    }

    private func notifyPending() {
        pending.update { count in count = monitor.withLock { $0.pendingBytes } }
    }
}
