extension StringProtocol {
    /// The parts between occurrences of an ASCII character, without empty ones.
    ///
    /// Unlike `split`, this does not look for the boundaries of characters.
    @inlinable
    package func parts(at separator: Unicode.Scalar) -> [Substring] {
        Substring(self).utf8.split(separator: UInt8(ascii: separator)).map { Substring($0) }
    }
}

extension Collection where Element == String {
    /// The words with a space between them.
    ///
    /// Unlike `joined`, this looks up no conformances at run time, for each of which the runtime scans all of the program.
    @inlinable
    package var spaced: String {
        dropFirst().reduce(into: first ?? "") { $0 += " \($1)" }
    }
}
