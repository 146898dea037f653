/// A key that VibeTunnel's servers know by name (`pty-manager.ts`).
///
/// Keys with Control and a letter have no names; their characters are sent as text.
package struct VibeTunnelKey: Hashable, Sendable {
    /// Such as `arrow_up`.
    package let name: String
    /// The name in vt: `Up`.
    package let keyName: String
    /// What the servers type.
    package let bytes: [UInt8]

    /// Returns nil for an unknown name.
    package init?(named name: String) {
        guard let key = Self.all.first(where: { $0.name == name }) else { return nil }
        self = key
    }

    private init(_ name: String, _ keyName: String, _ text: String) {
        (self.name, self.keyName, bytes) = (name, keyName, Array(text.utf8))
    }

    /// Whether the servers type what no terminal sends for the key.
    package var hasOwnBytes: Bool { name == "ctrl_enter" || name == "shift_enter" }

    package static let all: [VibeTunnelKey] =
        [
            VibeTunnelKey("arrow_up", "Up", "\u{1B}[A"), VibeTunnelKey("arrow_down", "Down", "\u{1B}[B"),
            VibeTunnelKey("arrow_right", "Right", "\u{1B}[C"), VibeTunnelKey("arrow_left", "Left", "\u{1B}[D"),
            VibeTunnelKey("escape", "Escape", "\u{1B}"), VibeTunnelKey("enter", "Enter", "\r"),
            VibeTunnelKey("ctrl_enter", "C-Enter", "\n"), VibeTunnelKey("shift_enter", "S-Enter", "\r\n"),
            VibeTunnelKey("backspace", "BSpace", "\u{7F}"), VibeTunnelKey("tab", "Tab", "\t"),
            VibeTunnelKey("shift_tab", "BTab", "\u{1B}[Z"), VibeTunnelKey("page_up", "PageUp", "\u{1B}[5~"),
            VibeTunnelKey("page_down", "PageDown", "\u{1B}[6~"), VibeTunnelKey("home", "Home", "\u{1B}[H"),
            VibeTunnelKey("end", "End", "\u{1B}[F"), VibeTunnelKey("delete", "Delete", "\u{1B}[3~"),
        ] + functionKeys

    private static let functionKeys: [VibeTunnelKey] = {
        let codes = ["OP", "OQ", "OR", "OS"] + [15, 17, 18, 19, 20, 21, 23, 24].map { "[\($0)~" }
        return codes.enumerated().map { VibeTunnelKey("f\($0 + 1)", "F\($0 + 1)", "\u{1B}\($1)") }
    }()
}
