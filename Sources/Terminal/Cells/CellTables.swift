/// The styles, clusters and links of all cells of a terminal.
struct CellTables: Sendable {
    var styles = StyleTable()
    var clusters = ClusterTable()
    var links = LinkTable()
    /// The number of table entries at which unused entries are removed.
    var limit = 4096
}
