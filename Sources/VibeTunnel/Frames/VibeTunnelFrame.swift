import Core

/// A message on the WebSocket `/ws` of VibeTunnel's servers since December 2025 (protocol version 3).
///
/// The layout is that of `web/src/shared/ws-v3.ts`, with little-endian numbers: the magic number, the version, the kind,
/// the ID of a session, and a payload, the last two with their lengths. Each message consists of one frame.
package struct VibeTunnelFrame: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// Defined by upstream, but not used.
        case hello = 1
        /// JSON, sent by the server when a client connects.
        case welcome = 2
        case subscribe = 10
        case unsubscribe = 11
        /// Output in UTF-8.
        case output = 20
        case snapshot = 21
        /// JSON.
        case event = 22
        /// JSON with a `message`.
        case error = 23
        /// Text that is typed unchanged.
        case text = 30
        /// The name of a key: a `VibeTunnelKey`.
        case key = 31
        case resize = 32
        /// The name of a signal; empty for SIGTERM.
        case kill = 33
        case resetSize = 34
        /// Answered by a `pong` with the same payload.
        case ping = 40
        case pong = 41
    }

    package var kind: Kind
    /// The ID of a session; empty for all of them.
    package var session: String
    package var payload: [UInt8]

    /// The maximum length of a message that vt accepts; upstream sets none.
    package static let limitBytes = 4 << 20

    private static let magic: UInt16 = 0x5654
    private static let version: UInt8 = 3

    package init(_ kind: Kind, _ session: String = "", _ payload: [UInt8] = []) {
        (self.kind, self.session, self.payload) = (kind, session, payload)
    }

    /// Decodes a message; returns nil for one that is to be ignored: it is incomplete or too long, or its kind or
    /// version is unknown.
    ///
    /// As upstream's decoder does, ignores bytes after the payload, and replaces invalid UTF-8 in the ID.
    package init?(message: [UInt8]) {
        var reader = LittleEndianReader(message[...])
        guard message.count <= Self.limitBytes, reader.uint16() == Self.magic, reader.byte() == Self.version,
            let kind = reader.byte().flatMap(Kind.init), let session = reader.counted(), let payload = reader.counted()
        else { return nil }
        self.init(kind, String(decoding: session, as: UTF8.self), Array(payload))
    }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(12 + session.utf8.count + payload.count)
        bytes.appendLittleEndian(Self.magic)
        bytes += [Self.version, kind.rawValue]
        bytes.appendCounted(session.utf8)
        bytes.appendCounted(payload)
        return bytes
    }
}

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
