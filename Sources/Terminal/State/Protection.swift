/// Which erase functions spare protected characters, depending on the sequence last used to set protection.
enum Protection: UInt8, Sendable {
    /// DECSCA: DECSED, DECSEL and DECSERA spare them.
    case selective
    /// SPA and EPA (ECMA-48 §8.3.129 and §8.3.46): DECSED, DECSEL, ED, EL and ECH spare them.
    case guarded
}
