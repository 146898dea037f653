/// The contents of a known_hosts file.
struct KnownHostsFile {
    var path: String
    var entries: [KnownHostsEntry] = []
    /// Malformed lines, in file order.
    var damagedLines: [DamagedKnownHostsLine] = []
}
