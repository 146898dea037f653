/// A file of the page.
struct PageFile {
    let type: String
    let contents: [UInt8]

    /// Returns the file at a path below that of the page; nil if there is none.
    static func at(_ path: Substring) -> PageFile? {
        switch path {
        case "": PageFile(type: "text/html; charset=utf-8", contents: PackageResources.index_html)
        case "app.js": PageFile(type: "text/javascript; charset=utf-8", contents: PackageResources.app_js)
        case "app.css": PageFile(type: "text/css; charset=utf-8", contents: PackageResources.app_css)
        case "icon.svg": PageFile(type: "image/svg+xml", contents: PackageResources.icon_svg)
        default: nil
        }
    }
}
