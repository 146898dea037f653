/// Parses byte counts in command line arguments.
package enum ByteCountText {
    /// Parses a number of bytes, or a number with `K`, `M` or `G` for powers of 1024: `65536`, `64K`, `16M`, `2G`.
    ///
    /// - Throws: `usage` when the text does not have this form, or the number exceeds `Int64`.
    package static func parse(_ text: String) throws(VTError) -> Int64 {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let shift: Int? =
            switch text.dropFirst(digits.count) {
            case "": 0
            case "K": 10
            case "M": 20
            case "G": 30
            default: nil
            }
        guard let shift, let number = Int64(digits), number <= Int64.max >> Int64(shift) else {
            throw VTError(
                .usage,
                "invalid size '\(text)'",
                hint: "use a number of bytes, or a number with K, M or G: 64K, 16M, 2G"
            )
        }
        return number << Int64(shift)
    }
}
