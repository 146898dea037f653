/// The styles, clusters and links of all cells of a terminal.
struct CellTables: Sendable {
    var styles = StyleTable()
    var clusters = ClusterTable()
    var links = LinkTable()
    /// The number of entries in a table at which unused ones are removed.
    var limit = 4096
}
