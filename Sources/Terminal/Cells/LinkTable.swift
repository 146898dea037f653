/// The links that the styles of a terminal have, each once, numbered from 1.
struct LinkTable: Sendable {
    private var links: [Link?] = []
    private var numbers: [Link: UInt32] = [:]
    private var free: [UInt32] = []

    /// The longest target that is kept, as VTE and iTerm2 have it.
    static let targetLimit = 2083
    /// The longest id that is kept, as VTE has it.
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

    /// Forgets the links of which the number is not in the set.
    mutating func keep(_ used: Set<UInt32>) {
        for place in links.indices where !used.contains(UInt32(place) + 1) {
            guard let link = links[place] else { continue }
            numbers[link] = nil
            links[place] = nil
            free.append(UInt32(place) + 1)
        }
    }
}
