/// A national replacement character set (VT220 and VT510 manuals), which replaces up to 12 ASCII characters.
struct NationalSet: Hashable, Sendable {
    /// The position in `all`.
    private let index: UInt8

    /// Returns nil for a designator, the bytes after `ESC (`, that does not belong to a national set.
    init?(designator: String) {
        guard let index = Self.all.firstIndex(where: { $0.designator == designator }) else { return nil }
        self.index = UInt8(index)
    }

    var designator: String { Self.all[Int(index)].designator }

    /// The character shown for an ASCII character.
    func shown(_ scalar: UInt32) -> UInt32 {
        guard let place = Self.replaced.firstIndex(of: scalar) else { return scalar }
        return Self.all[Int(index)].characters[place]
    }

    private static let replaced = scalars(#"#@[\]^_`{|}~"#)
    private static let all: [(designator: String, characters: [UInt32])] = [
        ("4", scalars("£¾ĳ½|^_`¨ƒ¼´")),
        ("C", finnish), ("5", finnish),
        ("R", french), ("f", french),
        ("Q", canadian), ("9", canadian),
        ("K", scalars("#§ÄÖÜ^_`äöüß")),
        ("Y", scalars("£§°çé^_ùàòèì")),
        ("E", norwegian), ("6", norwegian), ("`", norwegian),
        ("%6", scalars("#@ÃÇÕ^_`ãçõ~")),
        ("Z", scalars("£§¡Ñ¿^_`°ñç~")),
        ("H", swedish), ("7", swedish),
        ("=", scalars("ùàéçêîèôäöüû")),
    ]
    private static let finnish = scalars("#@ÄÖÅÜ_éäöåü")
    private static let french = scalars("£à°ç§^_`éùè¨")
    private static let canadian = scalars("#àâçêî_ôéùèû")
    private static let norwegian = scalars("#ÄÆØÅÜ_äæøåü")
    private static let swedish = scalars("#ÉÄÖÅÜ_éäöåü")

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
}
