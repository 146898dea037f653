extension String {
    /// The file extension of a path, in lower case; nil if there is none, as in `a/.b`.
    package var fileNameEnding: String? {
        guard let name = split(separator: "/").last, let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return nil
        }
        let ending = name[name.index(after: dot)...]
        return ending.isEmpty ? nil : ending.lowercased()
    }
}
