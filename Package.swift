// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// For modules that pass memory to C: every unsafe expression must be marked.
let strictWithC = strict + [.strictMemorySafety()]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")

let package = Package(
    name: "vt",
    products: [.executable(name: "vt", targets: ["vt"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2")
    ],
    targets: [
        // Level 0
        .systemLibrary(
            name: "CLibSSH2",
            pkgConfig: "libssh2",
            providers: [.apt(["libssh2-1-dev"])]
        ),
        .systemLibrary(
            name: "CLibCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(name: "CPTY"),
        .target(name: "Core", swiftSettings: strictWithC),

        // Level 1
        .target(name: "POSIX", dependencies: ["CPTY", "Core"], swiftSettings: strictWithC),

        // Level 2
        .target(name: "Arguments", dependencies: ["Core"], swiftSettings: strict),
        .target(name: "SFTP", dependencies: ["Core", "POSIX"], swiftSettings: strictWithC),
        .target(name: "Terminal", dependencies: ["Core"], swiftSettings: strictWithC),
        .target(name: "Recording", dependencies: ["CZlib", "Core", "POSIX", "Terminal"], swiftSettings: strictWithC),

        // Level 3
        .target(
            name: "SecureShell",
            dependencies: ["CLibCrypto", "CLibSSH2", "Core", "POSIX", nioCore, nioPosix],
            swiftSettings: strictWithC
        ),
        .target(name: "SessionHost", dependencies: ["Core", "POSIX", "Terminal"], swiftSettings: strictWithC),
        .target(name: "Storage", dependencies: ["CLibCrypto", "Core", "POSIX"], swiftSettings: strictWithC),

        .target(
            name: "Machine",
            dependencies: ["Core", "POSIX", "Recording", "Terminal"],
            swiftSettings: strictWithC
        ),

        // Level 4
        .target(
            name: "Services",
            dependencies: ["Core", "POSIX", "Recording", "SFTP", "Terminal"],
            swiftSettings: strict
        ),

        // Level 5
        .target(
            name: "Commands",
            dependencies: ["Arguments", "Core", "POSIX", "Recording", "Services", "Terminal"],
            swiftSettings: strict
        ),

        // Level 6
        .executableTarget(
            name: "vt",
            dependencies: [
                "Arguments", "Commands", "Core", "Machine", "POSIX", "Recording", "SecureShell", "Services",
                "SessionHost", "Storage", "Terminal", nioCore, nioPosix,
            ],
            swiftSettings: strict
        ),

        // Tests
        .target(
            name: "CoreTestSupport",
            dependencies: ["Core", "POSIX"],
            path: "Tests/CoreTestSupport",
            swiftSettings: strict
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", exclude: ["Support"], swiftSettings: strict),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests",
            dependencies: ["TestSupport"],
            path: "Tests/Integration",
            swiftSettings: strict
        ),
        .testTarget(name: "LayeringTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(name: "CoreTests", dependencies: ["Core", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "POSIXTests", dependencies: ["Core", "POSIX", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SecureShellTests",
            dependencies: ["Core", "POSIX", "SecureShell", "TestSupport", nioCore],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SessionHostTests",
            dependencies: ["Core", "POSIX", "SessionHost", "Terminal", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Core", "CoreTestSupport", "POSIX", "Storage", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MachineTests",
            dependencies: ["Core", "Machine", "POSIX", "Recording", "Terminal", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ServicesTests",
            dependencies: [
                "Core", "CoreTestSupport", "Machine", "POSIX", "Recording", "Services", "Storage", "Terminal",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArgumentsTests",
            dependencies: ["Arguments", "Core", "TestSupport"],
            exclude: ["Programs"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Core", "Terminal", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SFTPTests",
            dependencies: ["Core", "CoreTestSupport", "Machine", "POSIX", "SFTP", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["Core", "CoreTestSupport", "POSIX", "Recording", "Terminal", "TestSupport"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "terminal-bench",
            dependencies: ["Core", "Terminal"],
            path: "Tests/Benchmarks/Terminal",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Arguments", "Commands", "Core", "CoreTestSupport", "Machine", "POSIX", "Recording", "Services",
                "Terminal", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DocumentTests",
            dependencies: ["Arguments", "Commands", "Core", "Services", "Terminal", "TestSupport"],
            path: "Tests/Documents",
            exclude: ["Support"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "Transcripts",
            dependencies: ["TestSupport"],
            path: "Tests/Transcripts",
            exclude: ["Recorded"],
            swiftSettings: strict
        ),
    ]
)
