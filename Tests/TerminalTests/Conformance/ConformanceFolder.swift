import Foundation

/// The fixtures of other projects, where they are at hand: `VT_CONFORMANCE` names their folder.
enum ConformanceFolder {
    static let path = ProcessInfo.processInfo.environment["VT_CONFORMANCE"]

    /// The files and folders of a folder in it, sorted; none where the folder is not at hand.
    static func names(in folder: String) -> [String] {
        guard let path else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path ?? "")/\(name)")))
    }
}
