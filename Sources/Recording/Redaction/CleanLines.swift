/// Records which lines contain no secrets, so that each line is searched only once, and what a line shows about lines
/// before it, in any text of a recording: these secrets are found when it is read again.
///
/// The same line can occur in the stream, on the screen, and again in the result. Lines are represented by 64-bit
/// hashes with a random seed, so that collisions cannot be constructed.
final class CleanLines {
    private var hashes = [UInt64](repeating: 0, count: CleanLines.places)
    private let seed = UInt64.random(in: 1...UInt64.max)
    /// Whether a private key is shown apart from its first line, so that a full line of Base64 anywhere is part of one.
    private(set) var showsKeyLines = false
    /// Secrets whose own lines do not show that they are secrets, and the rules that found them.
    private(set) var lateSecrets: [[UInt8]: String] = [:]

    /// The number of slots; a new hash replaces an older one in the same slot.
    private static let places = 1 << 19
    /// The maximum number of late secrets.
    private static let mostSecrets = 10_000

    /// Increases with each finding about earlier lines.
    var lateCount: Int { lateSecrets.count + (showsKeyLines ? 1 : 0) }

    func recordKeyLines() { showsKeyLines = true }

    func record(_ secret: some Sequence<UInt8>, rule: String) {
        if lateSecrets.count < Self.mostSecrets { lateSecrets[Array(secret)] = rule }
    }

    /// Returns the hash of a line for one kind of search; never 0.
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
