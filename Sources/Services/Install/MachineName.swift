/// The names that `uname -m` has for kinds of machines.
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

    /// The name for messages, or the number where it has none.
    static func name(of machine: ELFImage.Machine) -> String {
        known.first { Self.machine($0) == machine }?.name ?? "machine \(machine.number)"
    }

    /// Whether a system that calls itself so runs programs for the machine.
    ///
    /// A name that is not known here settles nothing: running the program will.
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
