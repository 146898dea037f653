import Core
import Storage
import System
import TestSupport
import Testing

@Suite struct FileSessionNameCacheTests {
    private let scratch: ScratchDirectory
    private let cache: FileSessionNameCache

    init() throws {
        scratch = try ScratchDirectory()
        let profiles = FileProfileStore(path: scratch.path("profiles.json"))
        try profiles.add(try Profile.plain("web"))
        cache = FileSessionNameCache(directory: scratch.path("names"), profiles: profiles)
    }

    @Test func `returns the names that were cached last`() {
        #expect(cache.names().isEmpty)
        cache.remember(["a", "b"], of: "web")
        cache.remember(["b"], of: "web")
        cache.remember(["c"], of: "unknown")
        #expect(cache.names() == ["web": ["b"]])
        cache.remember([], of: "web")
        #expect(cache.names() == ["web": []])
    }

    @Test func `does not write names that have not changed`() throws {
        cache.remember(["a"], of: "web")
        let first = try #require(FileVersion(at: scratch.path("names/web")))
        cache.remember(["a"], of: "web")
        #expect(FileVersion(at: scratch.path("names/web")) == first)
    }
}
