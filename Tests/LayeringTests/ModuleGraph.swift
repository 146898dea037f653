/// The imports allowed for each module, lowest level first; a module may import only lower levels.
enum ModuleGraph {
    struct Module: Sendable {
        var name: String
        /// Modules of this package.
        var uses: Set<String>
        /// External modules.
        var external: Set<String> = []
    }

    /// Modules of the toolchain's standard library, which any module may import.
    static let standardLibrary: Set<String> = ["Synchronization"]

    static let modules: [Module] = [
        Module(name: "Core", uses: [], external: ["Glibc"]),
        Module(name: "POSIX", uses: ["CPTY", "Core"], external: ["Glibc"]),
        Module(name: "Arguments", uses: ["Core"]),
        Module(name: "SFTP", uses: ["Core", "POSIX"]),
        // Glibc provides memchr(3), which the scanner for terminal queries uses to skip text.
        Module(name: "Terminal", uses: ["Core"], external: ["Glibc"]),
        Module(name: "Recording", uses: ["CZlib", "Core", "POSIX", "Terminal"], external: ["Glibc"]),
        Module(
            name: "SecureShell",
            uses: ["CLibCrypto", "CLibSSH2", "Core", "POSIX"],
            external: ["Glibc", "NIOCore", "NIOPosix"]
        ),
        Module(name: "SessionHost", uses: ["Core", "POSIX", "Terminal"], external: ["Glibc"]),
        Module(
            name: "Storage",
            uses: ["CLibCrypto", "Core", "POSIX"],
            external: ["FoundationEssentials", "Glibc"]
        ),
        Module(name: "Machine", uses: ["Core", "POSIX", "Recording", "Terminal"], external: ["Glibc"]),
        Module(name: "Services", uses: ["Core", "POSIX", "Recording", "SFTP", "Terminal"]),
        Module(
            name: "Commands",
            uses: ["Arguments", "Core", "POSIX", "Recording", "Services", "Terminal"],
            external: ["FoundationEssentials", "Glibc"]
        ),
        Module(
            name: "vt",
            uses: [
                "Arguments", "Commands", "Core", "Machine", "POSIX", "Recording", "SecureShell", "Services",
                "SessionHost", "Storage", "Terminal",
            ],
            external: ["Glibc", "NIOCore", "NIOPosix"]
        ),
    ]

    /// Folders that may import FoundationEssentials, for JSON.
    static let jsonFolders = ["Sources/Storage/", "Sources/Commands/Output/"]

    /// The maximum number of lines in a Swift file.
    static let lineCeiling = 400
}
