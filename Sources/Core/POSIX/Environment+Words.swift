import Glibc

extension Environment {
    /// The environment of this process as `NAME=VALUE` words, byte for byte.
    package static func processWords() -> [ByteString] {
        var words: [ByteString] = []
        var next = unsafe environ
        while let word = unsafe next.pointee {
            words.append(unsafe ByteString(UnsafeRawBufferPointer(start: word, count: strlen(word))))
            unsafe next += 1
        }
        return words
    }
}
