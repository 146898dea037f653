/// The names of machine types as printed by `uname -m`.
enum MachineName {
    private static let known: [(name: String, number: UInt16, is64Bit: Bool, isLittleEndian: Bool)] = [
        ("x86_64", 62, true, true),
        ("aarch64", 183, true, true),
        ("riscv64", 243, true, true),
        ("ppc64le", 21, true, true),
        ("s390x", 22, true, false),
        ("i686", 3, false, true),
        ("armv7l", 40, false, true),
    ]

    /// The name for messages, or `machine NUMBER` for an unknown type.
    static func name(of machine: ELFImage.Machine) -> String {
        known.first { Self.machine($0) == machine }?.name ?? "machine \(machine.number)"
    }

    /// Whether a system with this name might run programs that were built for the machine.
    ///
    /// Unknown names are accepted, because the program is run before it is installed.
    static func system(_ name: String, mayRun machine: ELFImage.Machine) -> Bool {
        guard let entry = known.first(where: { $0.name == name }) else { return true }
        return Self.machine(entry) == machine
    }

    private static func machine(
        _ entry: (name: String, number: UInt16, is64Bit: Bool, isLittleEndian: Bool)
    ) -> ELFImage.Machine {
        ELFImage.Machine(number: entry.number, is64Bit: entry.is64Bit, isLittleEndian: entry.isLittleEndian)
    }
}
