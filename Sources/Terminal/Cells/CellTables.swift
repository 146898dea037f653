/// The styles, clusters and links of all cells of a terminal.
struct CellTables: Sendable {
    var styles = ValueTable<Style>()
    var clusters = ValueTable<Cluster>()
    var links = ValueTable<Link>()
    /// The number of table entries at which unused entries are removed.
    var limit = 4096

    /// The style of a cell, which on a traced screen can be an origin.
    @inline(__always)
    func style(_ number: UInt32) -> Style {
        number < CellOrigin.bit ? styles[number] : CellOrigin.style(number)
    }

    func link(of style: Style) -> Link? {
        style.link == 0 ? nil : links[style.link]
    }
}
