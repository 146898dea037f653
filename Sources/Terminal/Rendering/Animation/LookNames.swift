/// The looks of elements, identified by their CSS declarations.
struct LookNames {
    private var numbers: [String: Int] = [:]
    private var looks: [String] = []

    /// Returns the index of a look, adding it if it is new.
    mutating func number(for declarations: String) -> Int {
        if let number = numbers[declarations] { return number }
        numbers[declarations] = looks.count
        looks.append(declarations)
        return looks.count - 1
    }

    /// The form in which an element specifies its look.
    enum Attribute {
        case className(String)
        case attributes(String)
    }

    /// Turns frequently used looks into classes, and other looks into attributes; also returns the CSS of the classes.
    ///
    /// `uses` contains the look index of every element that will be written.
    func attributes(for uses: some Sequence<Int>) -> (all: [Attribute], rules: String) {
        var counts = [Int](repeating: 0, count: looks.count)
        for number in uses { counts[number] += 1 }
        var all = looks.map { Attribute.attributes(Self.attributes($0)) }
        var rules = ""
        var names = 0
        for number in looks.indices.sorted(by: { (counts[$1], $0) < (counts[$0], $1) }) {
            let name = Self.shortName(names, "a")
            let rule = ".\(name){\(looks[number])}\n"
            let inPlace = Self.attributes(looks[number]).utf8.count
            let named = name.utf8.count + 9
            guard counts[number] * named + rule.utf8.count < counts[number] * inPlace else { continue }
            all[number] = .className(name)
            rules += rule
            names += 1
        }
        return (all, rules)
    }

    /// Turns `fill:#cd3131;font-weight:bold` into ` fill="#cd3131" font-weight="bold"`.
    private static func attributes(_ declarations: String) -> String {
        var text = ""
        for declaration in declarations.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { text += " \(parts[0])=\"\(parts[1])\"" }
        }
        return text
    }

    /// Returns the shortest possible name for a number, counted from 0: `a` to `z`, then `aa` and so on, if `first` is `a`.
    static func shortName(_ number: Int, _ first: Unicode.Scalar) -> String {
        var rest = number
        var letters: [UInt8] = []
        repeat {
            letters.append(UInt8(ascii: first) + UInt8(rest % 26))
            rest = rest / 26 - 1
        } while rest >= 0
        return String(decoding: letters.reversed(), as: UTF8.self)
    }
}
