/// Remembers lines in which no rule finds a secret, so that each is searched once.
///
/// The same line stands in the stream and on the screen, and again in the result. Of a line there is a hash of 64 bits
/// with a random seed, so that nobody can make two lines that share one.
final class CleanLines {
    private var hashes = [UInt64](repeating: 0, count: CleanLines.places)
    private let seed = UInt64.random(in: 1...UInt64.max)

    /// A hash takes the place of an older one.
    private static let places = 1 << 19

    /// The hash of a line that is searched in some way, never 0.
    func hash(_ line: ArraySlice<UInt8>, way: UInt64) -> UInt64 {
        var hash = Self.mixed(seed, UInt64(line.count) << 8 | way)
        let bytes = line.span
        var index = 0
        while index + 8 <= bytes.count {
            hash = Self.mixed(hash, Self.word(bytes, index, 8))
            index += 8
        }
        return max(Self.mixed(hash, Self.word(bytes, index, bytes.count - index)), 1)
    }

    func contains(_ hash: UInt64) -> Bool {
        hashes[Int(hash & UInt64(Self.places - 1))] == hash
    }

    func insert(_ hash: UInt64) {
        hashes[Int(hash & UInt64(Self.places - 1))] = hash
    }

    @inline(__always)
    private static func word(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start + count { word = word << 8 | UInt64(bytes[index]) }
        return word
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low ^ hash &<< 1
    }
}
