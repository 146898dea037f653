extension ELFImage.Machine {
    /// The names as printed by `uname -m`.
    private static let known: [(name: String, machine: Self)] = [
        ("x86_64", Self(number: 62, is64Bit: true, isLittleEndian: true)),
        ("aarch64", Self(number: 183, is64Bit: true, isLittleEndian: true)),
        ("riscv64", Self(number: 243, is64Bit: true, isLittleEndian: true)),
        ("ppc64le", Self(number: 21, is64Bit: true, isLittleEndian: true)),
        ("s390x", Self(number: 22, is64Bit: true, isLittleEndian: false)),
        ("i686", Self(number: 3, is64Bit: false, isLittleEndian: true)),
        ("armv7l", Self(number: 40, is64Bit: false, isLittleEndian: true)),
    ]

    /// The name for messages, or `machine NUMBER` for an unknown type.
    var name: String {
        Self.known.first { $0.machine == self }?.name ?? "machine \(number)"
    }

    /// Whether a system with this name might run programs that were built for the machine.
    ///
    /// Unknown names are accepted, because the program is run before it is installed.
    func mayRun(on system: String) -> Bool {
        Self.known.first { $0.name == system }.map { $0.machine == self } ?? true
    }
}
