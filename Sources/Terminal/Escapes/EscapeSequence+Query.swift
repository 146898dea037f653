import Core

extension EscapeSequence {
    /// Whether a terminal may reply to this sequence.
    package var isQuery: Bool {
        switch kind {
        // ENQ; DECID.
        case .control: final == 0x05
        case .escape: body.isEmpty && final == UInt8(ascii: "Z")
        case .controlSequence: isQueryingControlSequence
        case .command: isQueryingCommand
        case .deviceControl: isQueryingDeviceControl
        case .otherString: isAnsweredGraphic
        }
    }

    private var isQueryingControlSequence: Bool {
        let intermediate = body.last { (0x20...0x2F).contains($0) }.map { UnicodeScalar($0) }
        let mark = marker.map { UnicodeScalar($0) }
        switch (mark, intermediate, UnicodeScalar(final)) {
        // DA1, DA2 and DA3.
        case (_, nil, "c"): return true
        // DSR; with '>', the sequence disables a key modifier option.
        case (">", nil, "n"): return false
        case (_, nil, "n"): return true
        // DECREQTPARM; XTWINOPS reports.
        case (nil, nil, "x"): return true
        case (nil, nil, "t"): return [11, 13, 14, 15, 16, 18, 19, 20, 21].contains(parameters[0])
        // XTVERSION and kitty's cursor query; XTQMODKEYS; XTSMGRAPHICS; keyboard flags.
        case (">", _, "q"), ("?", nil, "m"), ("?", nil, "S"), ("?", nil, "u"): return true
        // DECRQM; DECRQCRA and XTCHECKSUM; DECRQPSR; DECRQTSR and DECRQUPSS; DECRQDE.
        case (_, "$", "p"), (_, "*", "y"), (_, "$", "w"), (_, "$", "u"), (_, "&", "u"), (_, "\"", "v"): return true
        // XTREPORTCOLORS, XTREPORTSGR, XTTITLEPOS and DECRQLP.
        case (_, "#", "R"), (_, "#", "|"), (_, "#", "S"), (_, "'", "|"): return true
        // Enabling in-band size reports sends the first report immediately.
        case ("?", nil, "h"): return parameters == [2048]
        default: return false
        }
    }

    private var isQueryingCommand: Bool {
        guard let number = commandNumber else { return body.contains(UInt8(ascii: "?")) }
        switch number {
        // Titles, directories, links, progress and prompt marks may contain any text.
        case 0, 1, 2, 7, 8, 9, 133, 633, 777: return false
        // Desktop notifications that request a report (99); xterm's feature queries (60, 61); kitty's clipboard (5522).
        case 99: return body.contains(Array("p=?".utf8)) || body.contains(Array("a=".utf8))
        case 60, 61, 5522: return true
        case 1337: return body.contains(Array("Report".utf8)) || body.contains(Array("Request".utf8))
        default: return body.contains(UInt8(ascii: "?"))
        }
    }

    /// Whether this is DECRQSS or XTGETTCAP, with or without parameters.
    private var isQueryingDeviceControl: Bool {
        let head = body.drop { (0x30...0x3B).contains($0) }
        return head.starts(with: Array("$q".utf8)) || head.starts(with: Array("+q".utf8))
    }

    /// Whether this is a kitty graphics command to which terminals reply.
    ///
    /// These are queries, and commands with an ID unless they suppress replies (`q=2`).
    private var isAnsweredGraphic: Bool {
        guard final == UInt8(ascii: "_"), body.first == UInt8(ascii: "G") else { return false }
        let fields = body.dropFirst().prefix { $0 != UInt8(ascii: ";") }.split(separator: UInt8(ascii: ","))
        if fields.contains(where: { $0.elementsEqual("a=q".utf8) }) { return true }
        let hasID = fields.contains { $0.starts(with: "i=".utf8) || $0.starts(with: "I=".utf8) }
        return hasID && !fields.contains { $0.elementsEqual("q=2".utf8) }
    }

    /// The number at the start of an OSC sequence, if any.
    var commandNumber: Int? {
        body.prefix { (0x30...0x39).contains($0) }.number()
    }
}

extension ArraySlice<UInt8> {
    /// The value of a decimal number; nil if there is anything but digits, or too many of them.
    func number(maximumDigits: Int = 5) -> Int? {
        guard (1...maximumDigits).contains(count), allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return reduce(0) { $0 * 10 + Int($1 & 15) }
    }
}
