/// The titles that XTWINOPS 22 saves.
struct SavedTitles: Hashable, Sendable {
    var title: String
    var iconName: String
}
