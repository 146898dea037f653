import Core

/// xterm's OSC sequences, and those of other terminals for directories, links and prompts.
extension Emulator {
    /// The maximum length of stored titles and directories, in bytes.
    private static let titleLimit = 4096

    mutating func command(_ text: [UInt8]) {
        join = .moved
        let number = text.prefix { (0x30...0x39).contains($0) }
        var rest = text.dropFirst(number.count)
        guard (1...4).contains(number.count), rest.isEmpty || rest.first == UInt8(ascii: ";") else { return }
        rest = rest.dropFirst()
        let value = number.reduce(0) { $0 * 10 + Int($1 & 15) }
        switch value {
        case 0:
            title = clean(rest)
            iconName = title
        case 1: iconName = clean(rest)
        case 2: title = clean(rest)
        case 4, 5: setPalette(rest, command: value)
        case 7: workingDirectory = rest.isEmpty ? nil : clean(rest)
        case 8: setLink(rest)
        case 10...19: setDynamicColors(rest, command: value)
        case 52: setClipboard(rest)
        case 104, 105, 110...119: resetColors(rest, command: value)
        case 133: markPrompt(rest)
        default: break
        }
    }

    /// `ESC k … ST`, the window title command of screen and tmux (tmux(1), "NAMES AND TITLES").
    mutating func setTitle(_ text: [UInt8]) {
        join = .moved
        title = clean(text[...])
    }

    /// The text without control characters, truncated to the limit.
    private func clean(_ bytes: ArraySlice<UInt8>) -> String {
        let text = encoding.text(bytes.prefix(Self.titleLimit))
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0xA0 || 0x20..<0x7F ~= $0.value })
        )
    }

    /// OSC 8: `PARAMETERS;TARGET`, with parameters as colon-separated `name=value`.
    private mutating func setLink(_ text: ArraySlice<UInt8>) {
        penNumber = nil
        pen.link = 0
        guard let separator = text.firstIndex(of: UInt8(ascii: ";")) else { return }
        let target = text[(separator + 1)...]
        guard !target.isEmpty, target.count <= Link.targetLimit else { return }
        let id = text[..<separator].split(separator: UInt8(ascii: ":"))
            .first { $0.starts(with: Array("id=".utf8)) }
            .map { clean($0.dropFirst(3).prefix(Link.idLimit)) }
        if tables.links.count >= tables.limit { forgetUnused() }
        pen.link = tables.links.number(of: Link(id: id ?? "", target: clean(target)))
    }

    /// OSC 52: `SELECTIONS;BASE64`; queries are not answered.
    private mutating func setClipboard(_ text: ArraySlice<UInt8>) {
        guard let separator = text.firstIndex(of: UInt8(ascii: ";")) else { return }
        guard let content = Base64.decode(text[(separator + 1)...]) else { return }
        let letters = text[..<separator].filter { (0x30...0x7A).contains($0) }.prefix(16)
        reports.clipboard = ClipboardRequest(selections: String(decoding: letters, as: UTF8.self), content: content)
    }

    /// OSC 133: a prompt starts (`A`) or is complete (`B`), a command starts (`C`) or has ended (`D;STATUS`).
    private mutating func markPrompt(_ text: ArraySlice<UInt8>) {
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        switch parts.first.map({ String(decoding: $0, as: UTF8.self) }) {
        case "A":
            promptState.phase = .prompt
            grid.lines[cursor.y].flags.insert(.prompt)
        case "B":
            promptState.phase = .input
            promptState.count += 1
            grid.lines[cursor.y].flags.insert(.input)
        case "C":
            promptState.phase = .output
            grid.lines[cursor.y].flags.insert(.output)
        case "D":
            promptState.phase = .ended
            promptState.status = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : nil
            grid.lines[cursor.y].flags.insert(.end)
        default: break
        }
    }
}
