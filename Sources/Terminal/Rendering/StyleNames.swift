extension Style.Attributes {
    /// The names of the attributes that are set.
    package var names: [String] {
        let all: [(Style.Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.blink, "blink"), (.inverse, "inverse"),
            (.concealed, "concealed"), (.struck, "struck"), (.overlined, "overlined"), (.protected, "protected"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension Style {
    /// The style of a link that has no underline of its own, as in other terminals.
    var linked: Style {
        var style = Style.plain
        style.underline = .dotted
        return style
    }
}

extension Style.Underline {
    package var name: String {
        switch self {
        case .none: "none"
        case .single: "single"
        case .double: "double"
        case .curly: "curly"
        case .dotted: "dotted"
        case .dashed: "dashed"
        }
    }
}

extension CursorShape {
    package var name: String {
        switch self {
        case .standard, .blinkingBlock, .block: "block"
        case .blinkingUnderline, .underline: "underline"
        case .blinkingBar, .bar: "bar"
        }
    }

    package var isBlinking: Bool {
        switch self {
        case .blinkingBlock, .blinkingUnderline, .blinkingBar: true
        case .standard, .block, .underline, .bar: false
        }
    }
}

extension Modes {
    /// The modes that are set.
    package var set: [Mode] { Mode.allCases.filter { self[$0] } }
}

extension Mode {
    /// The name as hyphenated words, such as `bracketed-paste`.
    package var name: String {
        switch self {
        case .keyboardLocked: "keyboard-locked"
        case .insert: "insert"
        case .localEchoOff: "local-echo-off"
        case .newLine: "new-line"
        case .applicationCursor: "application-cursor"
        case .columns132: "columns-132"
        case .smoothScroll: "smooth-scroll"
        case .reverseVideo: "reverse-video"
        case .origin: "origin"
        case .autoWrap: "auto-wrap"
        case .autoRepeat: "auto-repeat"
        case .mouseX10: "mouse-x10"
        case .blinkingCursor: "blinking-cursor"
        case .showCursor: "show-cursor"
        case .allowColumns132: "allow-columns-132"
        case .reverseWrap: "reverse-wrap"
        case .applicationKeypad: "application-keypad"
        case .backspaceKey: "backspace-key"
        case .leftRightMargins: "left-right-margins"
        case .mouseButtons: "mouse-buttons"
        case .mouseHighlight: "mouse-highlight"
        case .mouseDrag: "mouse-drag"
        case .mouseMotion: "mouse-motion"
        case .focus: "focus"
        case .mouseUTF8: "mouse-utf8"
        case .mouseSGR: "mouse-sgr"
        case .alternateScroll: "alternate-scroll"
        case .mouseURXVT: "mouse-urxvt"
        case .mousePixels: "mouse-pixels"
        case .metaEscape: "meta-escape"
        case .altEscape: "alt-escape"
        case .bracketedPaste: "bracketed-paste"
        case .synchronized: "synchronized"
        case .graphemes: "graphemes"
        case .colorNotes: "color-notes"
        case .sizeNotes: "size-notes"
        case .moreFix: "more-fix"
        case .extendedReverseWrap: "extended-reverse-wrap"
        case .nationalSets: "national-sets"
        }
    }
}
