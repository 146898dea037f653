import Core

extension VibeTunnelFrame {
    /// What a subscription to a session includes.
    package struct Channels: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The output so far, and then more as it arrives.
        package static let output = Channels(rawValue: 1)
        package static let snapshots = Channels(rawValue: 2)
        /// The header, resizes and the exit; without a session, the events of the server.
        package static let events = Channels(rawValue: 4)
    }

    /// A subscription; the intervals between snapshots that follow the flags are 0, because no server uses them.
    package static func subscribe(_ session: String, to channels: Channels) -> VibeTunnelFrame {
        var payload: [UInt8] = []
        for number in [channels.rawValue, 0, 0] { payload.appendLittleEndian(number) }
        return VibeTunnelFrame(.subscribe, session, payload)
    }

    /// The channels of a subscription; nil if the payload is too short.
    package var channels: Channels? {
        var reader = LittleEndianReader(payload[...])
        guard kind == .subscribe, let flags = reader.uint32(), reader.bytes(8) != nil else { return nil }
        return Channels(rawValue: flags)
    }

    package static func resize(_ session: String, to size: TerminalSize) -> VibeTunnelFrame {
        var payload: [UInt8] = []
        payload.appendLittleEndian(UInt32(size.columns))
        payload.appendLittleEndian(UInt32(size.rows))
        return VibeTunnelFrame(.resize, session, payload)
    }

    /// The size in a request to resize; nil if the payload is too short, or no terminal can have the size.
    package var size: TerminalSize? {
        var reader = LittleEndianReader(payload[...])
        guard kind == .resize, let columns = reader.uint32(), let rows = reader.uint32() else { return nil }
        return TerminalSize(columns: Int(columns), rows: Int(rows))
    }

    /// A frame whose payload is text.
    package static func text(_ kind: Kind, _ session: String, _ text: String) -> VibeTunnelFrame {
        VibeTunnelFrame(kind, session, Array(text.utf8))
    }

    /// The payload as text, in which invalid UTF-8 is replaced.
    package var text: String { String(decoding: payload, as: UTF8.self) }
}
