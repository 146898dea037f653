/// The styles, clusters and links of all cells of a terminal.
struct CellTables: Sendable {
    var styles = StyleTable()
    var clusters = ClusterTable()
    var links = LinkTable()
    /// How many entries there may be before those without use are forgotten.
    var limit = 4096
}
