/// The animations that show and hide content; content with the same times shares an animation.
struct Keyframes {
    private let clock: AnimationClock
    private var names: [[Int32]: String] = [:]
    private(set) var rules = ""

    private let prefix: String

    init(_ clock: AnimationClock, prefix: String = "") {
        self.clock = clock
        self.prefix = prefix
    }

    /// Returns the class of content that appears and disappears at these frames; nil if it is always visible.
    mutating func name(for switches: [Int32]) -> String? {
        if switches == [0] { return nil }
        if let name = names[switches] { return name }
        let name = prefix + LookNames.shortName(names.count, "A")
        names[switches] = name
        var shown: [String] = []
        var hidden: [String] = []
        if switches.first != 0, switches.count % 2 == 1 { hidden.append("0%") }
        for (index, frame) in switches.enumerated() {
            let time = clock.percentage(clock.times[Int(frame)])
            if index % 2 == 0 { shown.append(time) } else { hidden.append(time) }
        }
        rules += ".\(name){animation-name:\(name)}@keyframes \(name){"
        if !shown.isEmpty { rules += "\(shown.joined(separator: ",")){visibility:visible}" }
        if !hidden.isEmpty { rules += "\(hidden.joined(separator: ",")){visibility:hidden}" }
        rules += "}\n"
        return name
    }
}
