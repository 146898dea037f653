/// A file of the page.
struct PageFile {
    let type: String
    let contents: [UInt8]

    private static let script = withoutMargins(PackageResources.app_js)
    private static let style = withoutMargins(PackageResources.app_css)

    /// Returns the file at a path below that of the page; nil if there is none.
    static func at(_ path: Substring) -> PageFile? {
        switch path {
        case "": PageFile(type: "text/html; charset=utf-8", contents: PackageResources.index_html)
        case "app.js": PageFile(type: "text/javascript; charset=utf-8", contents: script)
        case "app.css": PageFile(type: "text/css; charset=utf-8", contents: style)
        case "icon.svg": PageFile(type: "image/svg+xml", contents: PackageResources.icon_svg)
        default: nil
        }
    }

    /// The file without indentation and lines with only a comment; none of its strings has several lines.
    private static func withoutMargins(_ file: [UInt8]) -> [UInt8] {
        let lines = file.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let kept = lines.filter { !$0.isEmpty && !$0.starts(with: Array("//".utf8)) }
        return Array(kept.joined(separator: [UInt8(ascii: "\n")]))
    }
}
