/// Parses file names.
package enum FileName {
    /// The file extension, in lower case; nil if there is none, as in `a/.b`.
    package static func ending(of path: String) -> String? {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot > name.startIndex
        else {
            return nil
        }
        let ending = name[name.index(after: dot)...]
        return ending.isEmpty ? nil : ending.lowercased()
    }
}
