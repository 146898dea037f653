/// A secret that was found, and its bytes in the stream.
struct SecretFinding {
    var ranges: [Range<UInt64>]
    var value: [UInt8]
    var match: SecretSearch.Match
}
