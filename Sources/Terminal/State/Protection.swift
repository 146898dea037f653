/// What erasing spares of the characters that are protected; the sequence that was used last to protect decides.
enum Protection: UInt8, Sendable {
    /// DECSCA: DECSED, DECSEL and DECSERA spare them.
    case selective
    /// SPA and EPA (ECMA-48 §8.3.130): ED, EL and ECH spare them too.
    case guarded
}
