// swift-tools-version: 6.2
import PackageDescription

let testing: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The module with the engine for regular expressions enlarges a static executable by about a megabyte.
let strict = testing + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// For modules that pass memory to C: every unsafe expression must be marked.
let strictWithC = strict + [.strictMemorySafety()]

/// For tests, which run faster than they can be optimized.
let tests = testing + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// A static executable runs on any Linux, and starts without loading and relocating libraries.
///
/// The linker warns about functions that would load NSS modules or libraries at run time: vt calls none of them (see
/// Getent.swift), and limits getaddrinfo to the services in the C library. The Swift driver exports every symbol of a
/// statically linked program, which enlarges each process by a megabyte. lld, which is part of the toolchain, merges
/// identical functions and omits unused ones.
let staticLinking = [
    "-static-executable", "-use-ld=lld", "-Xlinker", "-no-pie", "-Xlinker", "-s", "-Xlinker", "--no-export-dynamic",
    "-Xlinker", "--icf=all", "-Xlinker", "--no-eh-frame-hdr",
    "-Xlinker", "-T\(Context.packageDirectory)/Scripts/no-unwind-tables.ld", "-Xclang-linker", "-static-libgcc",
    "-L\(Context.packageDirectory)/.build/archives",
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")

let package = Package(
    name: "vt",
    products: [.executable(name: "vt", targets: ["vt"])],
    dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")],
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
            name: "CLibSSL",
            pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(name: "CGuardedSSH2", dependencies: ["CLibSSH2"]),
        .target(name: "CLinux"),
        .target(name: "Core", swiftSettings: strictWithC),

        // Level 1
        .target(name: "System", dependencies: ["CLinux", "Core"], swiftSettings: strictWithC),

        // Level 2
        .target(
            name: "Runtime",
            dependencies: ["CLinux", "Core", "System", nioCore, nioPosix],
            swiftSettings: strictWithC
        ),

        // Level 3
        .target(name: "Arguments", dependencies: ["Core"], swiftSettings: strict),
        .target(name: "Terminal", dependencies: ["Core"], swiftSettings: strictWithC),
        .target(
            name: "Recording",
            dependencies: ["CZlib", "Core", "Runtime", "System", "Terminal"],
            swiftSettings: strictWithC
        ),

        .target(
            name: "HTTP",
            dependencies: ["CLibSSL", "Core", "Runtime", nioCore, nioHTTP1, nioWebSocket],
            swiftSettings: strictWithC
        ),

        // Level 4
        .target(
            name: "SecureShell",
            dependencies: [
                "CGuardedSSH2", "CLibCrypto", "CLibSSH2", "Core", "Runtime", "System", nioCore, nioPosix,
            ],
            swiftSettings: strictWithC
        ),
        .target(
            name: "SessionHost",
            dependencies: ["Core", "Runtime", "System", "Terminal"],
            resources: [.embedInCode("Shell/Hooks")],
            swiftSettings: strictWithC
        ),
        .target(
            name: "Speech",
            dependencies: ["Core", "HTTP", "Runtime", "System", "Terminal"],
            swiftSettings: strictWithC
        ),
        .target(
            name: "Storage",
            dependencies: ["CLibCrypto", "Core", "Runtime", "System"],
            swiftSettings: strictWithC
        ),
        .target(name: "VibeTunnel", dependencies: ["Core", "HTTP", "Runtime", "Terminal"], swiftSettings: strict),
        .target(
            name: "Web",
            dependencies: ["Core", "HTTP", "Runtime", "System", nioCore, nioPosix, nioHTTP1, nioWebSocket],
            resources: [.embedInCode("Page")],
            swiftSettings: strictWithC
        ),

        // Level 5
        .target(
            name: "Services",
            dependencies: ["Core", "HTTP", "Recording", "Runtime", "Storage", "System", "Terminal", "VibeTunnel"],
            swiftSettings: strictWithC
        ),

        // Level 6
        .target(
            name: "Commands",
            dependencies: [
                "Arguments", "Core", "HTTP", "Recording", "Runtime", "Services", "Speech", "Storage", "System",
                "Terminal",
            ],
            swiftSettings: strict
        ),

        // Level 7
        .executableTarget(
            name: "vt",
            dependencies: [
                "Arguments", "Commands", "Core", "HTTP", "Recording", "Runtime", "SecureShell", "Services",
                "SessionHost", "Speech", "Storage", "System", "Terminal", "Web", nioCore, nioPosix,
            ],
            swiftSettings: strict,
            linkerSettings: Context.environment["VT_STATIC"] == nil ? [] : [.unsafeFlags(staticLinking)]
        ),

        // Tests
        .target(
            name: "CoreTestSupport",
            dependencies: ["Core", "Runtime", "System"],
            path: "Tests/CoreTestSupport",
            swiftSettings: tests
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", exclude: ["Support"], swiftSettings: tests),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "IntegrationTests",
            dependencies: ["TestSupport"],
            path: "Tests/Integration",
            swiftSettings: tests
        ),
        .testTarget(name: "LayeringTests", dependencies: ["TestSupport"], swiftSettings: tests),
        .testTarget(name: "CoreTests", dependencies: ["Core", "TestSupport"], swiftSettings: tests),
        .testTarget(name: "SystemTests", dependencies: ["Core", "System", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "RuntimeTests",
            dependencies: ["Core", "Runtime", "System", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SecureShellTests",
            dependencies: ["Core", "Runtime", "SecureShell", "System", "TestSupport", nioCore],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SessionHostTests",
            dependencies: ["Core", "Runtime", "SessionHost", "System", "Terminal", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "HTTPTests",
            dependencies: ["Core", "HTTP", "Runtime", "TestSupport", nioCore, nioHTTP1, nioPosix, nioWebSocket],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SpeechTests",
            dependencies: ["Core", "Speech", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "VibeTunnelTests",
            dependencies: ["Core", "Terminal", "TestSupport", "VibeTunnel"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "WebTests",
            dependencies: ["Core", "TestSupport", "Web", nioHTTP1],
            swiftSettings: tests
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Core", "CoreTestSupport", "Runtime", "Storage", "System", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ServicesTests",
            dependencies: [
                "Core", "CoreTestSupport", "Recording", "Runtime", "Services", "Storage", "System", "Terminal",
                "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ArgumentsTests",
            dependencies: ["Arguments", "Core", "TestSupport"],
            exclude: ["Programs"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Core", "Terminal", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["Core", "CoreTestSupport", "Recording", "Runtime", "System", "Terminal", "TestSupport"],
            swiftSettings: tests
        ),
        .executableTarget(
            name: "terminal-bench",
            dependencies: ["Core", "Terminal"],
            path: "Tests/Benchmarks/Terminal",
            swiftSettings: testing
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Arguments", "Commands", "Core", "CoreTestSupport", "Recording", "Runtime", "Services", "Speech",
                "Storage", "System", "Terminal", "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "DocumentTests",
            dependencies: [
                "Arguments", "Commands", "Core", "Recording", "Services", "Storage", "Terminal", "TestSupport",
            ],
            path: "Tests/Documents",
            exclude: ["Support"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "Transcripts",
            dependencies: ["TestSupport"],
            path: "Tests/Transcripts",
            exclude: ["Recorded"],
            swiftSettings: tests
        ),
    ]
)
