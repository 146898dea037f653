/// The titles saved by XTWINOPS 22.
struct SavedTitles: Hashable, Sendable {
    var title: String
    var iconName: String
}
