/// The negotiated algorithms, except compression; they are the same in both directions.
package struct NegotiatedAlgorithms: Hashable, Sendable {
    package var keyExchange: String
    package var hostKey: String
    package var cipher: String
    /// Empty if the cipher provides authentication.
    package var mac: String

    package init(keyExchange: String, hostKey: String, cipher: String, mac: String) {
        self.keyExchange = keyExchange
        self.hostKey = hostKey
        self.cipher = cipher
        self.mac = mac
    }
}
