/// A secret that was found, and the bytes of a stream that are it.
struct SecretFinding {
    var ranges: [Range<UInt64>]
    var value: [UInt8]
    var match: SecretSearch.Match
}
