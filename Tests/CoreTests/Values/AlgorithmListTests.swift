import Core
import Testing

struct AlgorithmListTests {
    private let list = AlgorithmList(standard: ["a1", "a2", "b1"], supported: ["a1", "a2", "b1", "w1", "w2"])

    @Test(arguments: [
        ("b1,a1", ["b1", "a1"]),
        ("unknown,w1,a1,w1", ["w1", "a1"]),
        ("+w1,a1,unknown", ["a1", "a2", "b1", "w1"]),
        ("-a*", ["b1"]),
        ("-unknown", ["a1", "a2", "b1"]),
        ("^b1,w2", ["b1", "w2", "a1", "a2"]),
        ("w*,?2", ["w1", "w2", "a2"]),
    ])
    func `a setting selects algorithms as in ssh_config`(setting: String, selected: [String]) throws {
        #expect(try list.selected(by: setting, as: .cipher) == selected)
    }

    @Test(arguments: ["unknown", "", "-*"])
    func `a setting that selects nothing is an error that names both lists`(setting: String) {
        let error = #expect(throws: VTError.self) { try list.selected(by: setting, as: .mac) }
        #expect(error?.code == .usage && error?.message == "no supported MAC in '\(setting)'")
        #expect(error?.hint == "vt supports a1 a2 b1 w1 w2")
    }
}
