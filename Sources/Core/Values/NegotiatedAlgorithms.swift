/// What client and server agreed on; both directions are the same but for the compression.
package struct NegotiatedAlgorithms: Hashable, Sendable {
    package var keyExchange: String
    package var hostKey: String
    package var cipher: String
    /// Empty where the cipher authenticates by itself.
    package var mac: String

    package init(keyExchange: String, hostKey: String, cipher: String, mac: String) {
        self.keyExchange = keyExchange
        self.hostKey = hostKey
        self.cipher = cipher
        self.mac = mac
    }
}
