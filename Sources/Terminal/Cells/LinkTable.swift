/// The links used by a terminal's styles, each stored once, numbered from 1.
struct LinkTable: Sendable {
    private var links: [Link?] = []
    private var numbers: [Link: UInt32] = [:]
    private var free: [UInt32] = []

    /// The maximum length of a stored target in bytes, as in VTE and iTerm2.
    static let targetLimit = 2083
    /// The maximum length of a stored `id` in bytes, as in VTE.
    static let idLimit = 250

    var count: Int { numbers.count }

    subscript(_ number: UInt32) -> Link? {
        number == 0 ? nil : links[Int(number) - 1]
    }

    mutating func number(of link: Link) -> UInt32 {
        if let number = numbers[link] { return number }
        let number: UInt32
        if let reused = free.popLast() {
            number = reused
            links[Int(number) - 1] = link
        } else {
            links.append(link)
            number = UInt32(links.count)
        }
        numbers[link] = number
        return number
    }

    /// Removes the links whose numbers are not in the set.
    mutating func keep(_ used: Set<UInt32>) {
        for place in links.indices where !used.contains(UInt32(place) + 1) {
            guard let link = links[place] else { continue }
            numbers[link] = nil
            links[place] = nil
            free.append(UInt32(place) + 1)
        }
    }
}

/// A hyperlink (OSC 8).
package struct Link: Hashable, Sendable {
    /// The `id` parameter: cells with the same value belong to one link, even if they are not adjacent; may be empty.
    package var id: String
    package var target: String

    package init(id: String = "", target: String) {
        self.id = id
        self.target = target
    }
}
