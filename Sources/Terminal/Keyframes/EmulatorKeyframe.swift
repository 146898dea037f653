import Core

/// The complete state of a terminal, except for the rows that have left its screen.
///
/// A keyframe is captured only between sequences. A terminal restored from it behaves like the original until resizing
/// would bring back rows that have left the screen.
package struct EmulatorKeyframe: Hashable, Sendable {
    private let size: TerminalSize
    /// The output of `StateRenderer`; the following properties are the state that it omits.
    private let state: [UInt8]
    private let isSynchronized: Bool
    private let hasSizeNotes: Bool
    private let promptState: PromptState
    private let titles: [SavedTitles]
    private let savedModes: [Int: Bool]
    private let lastScalar: UInt32?
    private let join: JoinState

    /// Returns nil if the terminal is in the middle of a sequence or character, has a pending single shift, or is in a
    /// state that a keyframe cannot represent.
    package init?(_ emulator: Emulator) {
        guard emulator.parser.state == .ground, emulator.parser.utf8.missing == 0, emulator.sets.single == nil else {
            return nil
        }
        size = emulator.size
        state = StateRenderer.render(emulator)
        isSynchronized = emulator.modes[.synchronized]
        hasSizeNotes = emulator.modes[.sizeNotes]
        promptState = emulator.promptState
        titles = emulator.titles
        savedModes = emulator.savedModes
        lastScalar = emulator.lastScalar
        join = emulator.join
        guard self.emulator().screen() == emulator.screen() else { return nil }
    }

    /// Returns the restored terminal.
    package func emulator() -> Emulator {
        var emulator = Emulator(size: size)
        emulator.feed(state)
        emulator.modes[.synchronized] = isSynchronized
        emulator.modes[.sizeNotes] = hasSizeNotes
        emulator.promptState = promptState
        emulator.titles = titles
        emulator.savedModes = savedModes
        emulator.lastScalar = lastScalar
        emulator.join = join
        _ = emulator.takeAnswers()
        _ = emulator.takeBells()
        return emulator
    }

    // MARK: - Coding

    /// The keyframe in the format that `init(decoding:)` reads.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt32(UInt32(size.columns))
        bytes.appendUInt32(UInt32(size.rows))
        bytes.append((isSynchronized ? 1 : 0) | (hasSizeNotes ? 2 : 0))
        bytes.append(join.rawValue)
        bytes.appendUInt32(lastScalar ?? .max)
        bytes.appendString(promptState.phase.rawValue.utf8)
        bytes.appendBigEndian(Int64(promptState.status ?? .min))
        bytes.appendBigEndian(Int64(promptState.count))
        bytes.appendUInt32(UInt32(titles.count))
        for saved in titles {
            bytes.appendString(saved.title.utf8)
            bytes.appendString(saved.iconName.utf8)
        }
        bytes.appendUInt32(UInt32(savedModes.count))
        for (number, isSet) in savedModes.sorted(by: { $0.key < $1.key }) {
            bytes.appendUInt32(UInt32(truncatingIfNeeded: number))
            bytes.append(isSet ? 1 : 0)
        }
        bytes.appendString(state)
        return bytes
    }

    /// Returns nil for bytes that are not a keyframe.
    package init?(decoding bytes: ArraySlice<UInt8>) {
        var reader = WireReader(bytes)
        guard let columns = reader.uint32(), let rows = reader.uint32(),
            let size = TerminalSize(columns: Int(columns), rows: Int(rows)), let modeBits = reader.byte(),
            let join = reader.byte().flatMap(JoinState.init), let lastScalar = reader.uint32(),
            let phase = reader.text().flatMap(PromptState.Phase.init), let status = reader.uint64(),
            let count = reader.uint64(), let titles = reader.uint32(), titles <= 100
        else { return nil }
        self.size = size
        isSynchronized = modeBits & 1 != 0
        hasSizeNotes = modeBits & 2 != 0
        self.join = join
        self.lastScalar = lastScalar == .max ? nil : lastScalar
        var promptState = PromptState()
        promptState.phase = phase
        promptState.status = Int64(bitPattern: status) == .min ? nil : Int(Int64(bitPattern: status))
        promptState.count = Int(Int64(bitPattern: count))
        self.promptState = promptState
        var saved: [SavedTitles] = []
        for _ in 0..<titles {
            guard let title = reader.text(), let iconName = reader.text() else { return nil }
            saved.append(SavedTitles(title: title, iconName: iconName))
        }
        self.titles = saved
        guard let modes = reader.uint32(), modes <= 10_000 else { return nil }
        var savedModes: [Int: Bool] = [:]
        for _ in 0..<modes {
            guard let number = reader.uint32(), let isSet = reader.byte() else { return nil }
            savedModes[Int(number)] = isSet != 0
        }
        self.savedModes = savedModes
        guard let state = reader.string(), reader.isAtEnd else { return nil }
        self.state = Array(state)
    }
}
