/// The times of an animation in CSS format.
struct AnimationClock {
    /// The start of each frame, in microseconds.
    let times: [Int64]
    let end: Int64
    /// The number of decimals needed to distinguish times as percentages.
    private let digits: Int

    init(times: [Int64], end: Int64) {
        self.times = times
        self.end = end
        var digits = 0
        // A frame lasts at least 16 ms, so a quarter of that is precise enough.
        var step = end / 100
        while step > 4_000, digits < 9 {
            step /= 10
            digits += 1
        }
        self.digits = digits
    }

    /// The duration of the animation, such as `12.5s`.
    var duration: String {
        let milliseconds = max((end + 500) / 1_000, 1)
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return whole == 0 ? "\(rest)ms" : "\(whole)\(Self.fraction(rest, 3))s"
    }

    /// A time as a percentage of the duration, such as `12.34%`.
    func percentage(_ microseconds: Int64) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let part = Int64((Double(microseconds) * 100 * Double(scale) / Double(end)).rounded())
        let (whole, rest) = min(part, 100 * scale).quotientAndRemainder(dividingBy: scale)
        return "\(whole)\(Self.fraction(rest, digits))%"
    }

    /// A fraction without trailing zeros, such as `.05`; empty for zero.
    private static func fraction(_ part: Int64, _ digits: Int) -> String {
        guard part > 0 else { return "" }
        let text = String(part)
        var all = String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
        while all.last == "0" { all.removeLast() }
        return "." + all
    }
}
