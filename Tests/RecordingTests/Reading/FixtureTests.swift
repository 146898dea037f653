import Core
import Foundation
import Recording
import Testing

/// Recordings of another project, if available: `VT_CONFORMANCE` names their folder.
struct FixtureTests {
    struct File: CustomTestStringConvertible, Sendable {
        let path: String

        var testDescription: String { path }
        var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

        func bytes() throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }

        static func all(_ folder: String) -> [File] {
            guard let root = ProcessInfo.processInfo.environment["VT_CONFORMANCE"] else { return [] }
            let base = "\(root)/casts/\(folder)"
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: base)) ?? []
            return names.sorted().filter { $0.hasSuffix(".cast") || $0.hasSuffix(".json") }.map {
                File(path: "\(base)/\($0)")
            }
        }

        /// Whether the recording is valid, as indicated by its file name.
        var isGood: Bool {
            name == "invalid-resize"
                || !["invalid", "wrong", "broken"].contains { name.hasPrefix($0) }
        }
    }

    @Test(arguments: File.all("accept-reject"))
    func `reads or rejects a recording according to its file name`(_ file: File) throws {
        let bytes = try file.bytes()
        guard !file.isGood else {
            let recording = try #require(try ReadRecording(bytes))
            #expect(recording.events.isEmpty == (file.name == "no-events"))
            return
        }
        let error = #expect(throws: VTError.self) { try ReadRecording(bytes) }
        #expect(error?.code == .dataInvalid)
        #expect(error?.message.hasPrefix("line ") == true)
    }

    @Test(arguments: File.all("accept-reject") + File.all("real"))
    func `a conversion to v3 and then to v2 preserves a valid recording`(_ file: File) throws {
        guard file.isGood else { return }
        let first = try #require(try ReadRecording(try file.bytes()))
        let three = try #require(try ReadRecording(first.written(.v3)))
        let two = try #require(try ReadRecording(three.written(.v2)))
        for read in [three, two] {
            #expect(read.events == first.events)
            #expect(read.header.extras == first.header.extras)
            var header = read.header
            header.version = first.header.version
            #expect(header == first.header)
        }
    }

    @Test(arguments: File.all("accept-reject") + File.all("real"))
    func `the result does not depend on the size of the pieces`(_ file: File) throws {
        let bytes = try file.bytes()
        for piece in [1, 61] {
            for policy in [RecordingPolicy.strict, .lenient] {
                #expect(ReadOutcome(bytes, policy, piece) == ReadOutcome(bytes, policy, bytes.count))
            }
        }
    }
}
