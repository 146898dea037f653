import Core
import Terminal
import Testing
import VibeTunnel

struct VibeTunnelKeyTests {
    @Test(arguments: VibeTunnelKey.all)
    func `keys have names in both programs, and send the same`(_ key: VibeTunnelKey) throws {
        let own = try KeyEncoder(Emulator(size: .standard)).bytes(of: Key(parsing: key.keyName))
        #expect((own == key.bytes) == !key.hasOwnBytes)
        #expect(VibeTunnelKey(named: key.name) == key)
    }

    @Test func `there are 28 keys`() {
        #expect(VibeTunnelKey.all.count == 28)
        #expect(Set(VibeTunnelKey.all.map(\.keyName)).count == 28)
        #expect(VibeTunnelKey(named: "up") == nil)
    }
}
