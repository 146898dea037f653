extension Timestamp {
    /// Formats the time in UTC; supports these conversions of strftime(3): `%Y %m %d %H %M %S %F %T %s %%`.
    ///
    /// - Throws: `usage` for any other conversion.
    package func text(format: String) throws(VTError) -> String {
        // 2026-11-21T09:30:00Z
        let whole = Array(rawValue)
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "Y": text += whole[0..<4]
            case "m": text += whole[5..<7]
            case "d": text += whole[8..<10]
            case "H": text += whole[11..<13]
            case "M": text += whole[14..<16]
            case "S": text += whole[17..<19]
            case "F": text += whole[0..<10]
            case "T": text += whole[11..<19]
            case "s": text += String(seconds)
            case "%": text += "%"
            case let other:
                throw VTError(
                    .usage,
                    "'%\(other.map(String.init) ?? "")' is not supported in a time format",
                    hint: "use %Y %m %d %H %M %S %F %T %s or %%"
                )
            }
        }
        return text
    }
}
