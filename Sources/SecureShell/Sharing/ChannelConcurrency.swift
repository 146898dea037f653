/// Whether a server allows a channel for a program while another one is in use.
enum ChannelConcurrency {
    /// A second channel can end the connection.
    case forbidden
    /// Not known yet: some network devices end the connection when a second channel is opened.
    case unproven
    /// The server opens further channels, or refuses them, without any effect on the others.
    case allowed

    /// The assumption for a server with this identification line (RFC 4253 §4.2).
    init(_ identification: String) {
        if identification.hasPrefix("SSH-2.0-OpenSSH_") {
            self = .allowed
        } else if identification.hasPrefix("SSH-2.0-dropbear"), !Self.isFixedDropbear(identification) {
            self = .forbidden
        } else {
            self = .unproven
        }
    }

    /// Whether this is a Dropbear without the fault of 2022.82 to 2024.85 (https://github.com/mkj/dropbear/issues/321).
    ///
    /// When a program ends, these versions close the other channels on which nothing has been started yet. If a program
    /// is started on one of them before the client has learned that, the whole connection ends.
    private static func isFixedDropbear(_ identification: String) -> Bool {
        let version = identification.split(separator: "_").last.map { $0.prefix(while: \.isWholeNumber) } ?? ""
        guard let year = Int(version) else { return false }
        return year < 2022 || year > 2024
    }
}
