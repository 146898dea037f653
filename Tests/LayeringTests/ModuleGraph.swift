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
        Module(name: "System", uses: ["CLinux", "Core"], external: ["Glibc"]),
        Module(name: "Runtime", uses: ["CLinux", "Core", "System"], external: ["Glibc", "NIOCore", "NIOPosix"]),
        Module(name: "Arguments", uses: ["Core"]),
        // Glibc provides memchr(3), which the scanner for terminal queries uses to skip text.
        Module(name: "Terminal", uses: ["Core"], external: ["Glibc"]),
        Module(name: "Recording", uses: ["CZlib", "Core", "Runtime", "System", "Terminal"], external: ["Glibc"]),
        Module(
            name: "HTTP",
            uses: ["CLibSSL", "Core", "Runtime"],
            external: ["Glibc", "NIOCore", "NIOHTTP1", "NIOWebSocket"]
        ),
        Module(
            name: "SecureShell",
            uses: ["CGuardedSSH2", "CLibCrypto", "CLibSSH2", "Core", "Runtime", "System"],
            external: ["Glibc", "NIOCore", "NIOPosix"]
        ),
        Module(name: "SessionHost", uses: ["Core", "Runtime", "System", "Terminal"], external: ["Glibc"]),
        Module(name: "Speech", uses: ["Core", "HTTP", "Runtime", "System", "Terminal"]),
        Module(
            name: "Storage",
            uses: ["CLibCrypto", "Core", "Runtime", "System"],
            external: ["Glibc"]
        ),
        Module(name: "VibeTunnel", uses: ["Core", "HTTP", "Runtime", "Terminal"]),
        Module(
            name: "Web",
            uses: ["Core", "HTTP", "Runtime", "System"],
            external: ["Glibc", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"]
        ),
        Module(
            name: "Services",
            uses: ["Core", "HTTP", "Recording", "Runtime", "Storage", "System", "Terminal", "VibeTunnel"],
            external: ["Glibc"]
        ),
        Module(
            name: "Commands",
            uses: [
                "Arguments", "Core", "HTTP", "Recording", "Runtime", "Services", "Speech", "Storage", "System",
                "Terminal",
            ],
            external: ["Glibc"]
        ),
        Module(
            name: "vt",
            uses: [
                "Arguments", "Commands", "Core", "HTTP", "Recording", "Runtime", "SecureShell", "Services",
                "SessionHost", "Speech", "Storage", "System", "Terminal", "Web",
            ],
            external: ["Glibc", "NIOCore", "NIOPosix"]
        ),
    ]

    /// The maximum number of lines in a Swift file.
    static let lineCeiling = 400
}
