import TestSupport
import Testing

/// vt must load no NSS modules: see `Getent` in Sources/System.
struct NameServiceTests {
    /// The C library's functions that look up names with the services of nsswitch.conf(5), without `_r`.
    private static let lookups: Set = [
        "getpwnam", "getpwuid", "getpwent", "getgrnam", "getgrgid", "getgrent", "getgrouplist", "initgroups",
        "gethostbyname", "gethostbyaddr", "getnameinfo", "getservbyname", "getservbyport",
    ]

    @Test func `no source file calls functions of the C library that load NSS modules`() throws {
        for file in try SourceFile.all(below: "Sources") {
            let words = Set(file.code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
            let names = words.map { String($0.hasSuffix("_r") ? $0.dropLast(2) : $0) }
            let calls = names.filter(Self.lookups.contains)
            #expect(calls.isEmpty, "\(file.path)")
            #expect(!words.contains("getaddrinfo") || file.path.hasSuffix("/AddressLookup.swift"), "\(file.path)")
        }
    }
}
