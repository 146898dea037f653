/// The state saved by DECSC for DECRC.
struct SavedCursor: Hashable, Sendable {
    var cursor = Cursor()
    var pen = Style.plain
    var sets = CharacterSets()
    var isOrigin = false
}
