/// A secret that was found, and the ranges of its bytes in the stream.
struct SecretFinding {
    var ranges: [Range<UInt64>]
    var value: [UInt8]
    var match: SecretSearch.Match
}
