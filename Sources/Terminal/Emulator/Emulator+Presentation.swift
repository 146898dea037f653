/// DECRSPS: restores the state reported by DECRQPSR (VT420 manual).
extension Emulator {
    mutating func restorePresentation(_ report: Int, _ text: [UInt8]) {
        switch report {
        case 1: restoreCursorInformation(text)
        case 2:
            tabs.clear()
            for stop in text.split(separator: UInt8(ascii: "/")) {
                if let column = stop.number(), (1...columns).contains(column) { tabs.set(column - 1, true) }
            }
        default: break
        }
    }

    /// DECCIR: row; column; page; rendition; attributes; flags; GL; GR; sizes of the sets; sets.
    ///
    /// The page and GR are ignored: there is only one page, and the right half is always that of the encoding.
    private mutating func restoreCursorInformation(_ text: [UInt8]) {
        let fields = text.split(separator: UInt8(ascii: ";"), maxSplits: 9, omittingEmptySubsequences: false)
        guard fields.count == 10, let row = fields[0].number(), let column = fields[1].number(),
            let rendition = fields[3].first, let attributes = fields[4].first, let flags = fields[5].first,
            let active = fields[6].number(), let sizes = fields[8].first
        else { return }
        leaveLine()
        restoreRendition(rendition, isProtected: attributes & 1 != 0)
        sets.restore(Array(fields[9]), sizes: sizes, allowsNational: modes[.nationalSets])
        sets.active = min(active, 3)
        sets.single = flags & 2 != 0 ? 2 : flags & 4 != 0 ? 3 : nil
        modes[.origin] = flags & 1 != 0
        cursor.y = min(max(row, 1), rows) - 1
        cursor.x = min(max(column, 1), columns) - 1
        cursor.isWrapPending = flags & 8 != 0
        keepWaitOnlyAtEdge()
    }

    private mutating func restoreRendition(_ bits: UInt8, isProtected: Bool) {
        let attributes: [(UInt8, Style.Attributes)] = [(1, .bold), (4, .blink), (8, .inverse)]
        for (bit, attribute) in attributes {
            if bits & bit != 0 { pen.attributes.insert(attribute) } else { pen.attributes.remove(attribute) }
        }
        pen.underline = bits & 2 != 0 ? .single : .none
        if isProtected { pen.attributes.insert(.protected) } else { pen.attributes.remove(.protected) }
        penNumber = nil
    }
}

extension CharacterSets {
    /// Parses the designations of G0 to G3, each of them a final byte after any intermediate bytes; a bit in `sizes` is
    /// set for a 96-character set.
    fileprivate mutating func restore(_ designations: [UInt8], sizes: UInt8, allowsNational: Bool) {
        var place = 0
        var designator = ""
        for byte in designations where place < 4 {
            designator.unicodeScalars.append(UnicodeScalar(byte))
            guard byte >= 0x30 else { continue }
            if sizes & 1 << place != 0 {
                sets[place] = designator == "A" ? .latin1 : .ascii
            } else {
                sets[place] = Set(designator: designator, allowsNational: allowsNational) ?? .ascii
            }
            place += 1
            designator = ""
        }
    }
}
