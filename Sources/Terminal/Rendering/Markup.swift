/// Formats text, links and lengths for HTML and SVG.
enum Markup {
    /// Escapes text for element content or a double-quoted attribute.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 §2.2 does not allow these characters.
            case "\u{0}"..."\u{8}", "\u{B}"..."\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The escaped target of a link if its scheme is safe in a browser; nil otherwise.
    static func target(_ link: Link?) -> String? {
        guard let target = link?.target, let colon = target.firstIndex(of: ":") else { return nil }
        let schemes: Set<String> = ["http", "https", "ftp", "ftps", "mailto", "file", "ssh", "sftp"]
        return schemes.contains(target[..<colon].lowercased()) ? escaped(target) : nil
    }

    /// Formats a length given in hundredths, such as `8.4` for 840.
    static func length(_ hundredths: Int) -> String {
        let sign = hundredths < 0 ? "-" : ""
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(sign)\(whole)" }
        return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
