/// The shortest possible names: `a` to `z`, then `aa` and so on.
enum ShortName {
    /// Returns the name for a number, counted from 0; `first` is `a` or `A`.
    static func text(_ number: Int, _ first: Unicode.Scalar) -> String {
        var rest = number
        var letters: [UInt8] = []
        repeat {
            letters.append(UInt8(ascii: first) + UInt8(rest % 26))
            rest = rest / 26 - 1
        } while rest >= 0
        return String(decoding: letters.reversed(), as: UTF8.self)
    }
}
