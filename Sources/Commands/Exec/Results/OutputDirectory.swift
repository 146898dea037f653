import Core
import Glibc
import Runtime
import Services
import System

/// The `--output-dir` directory: a file for each target and stream, and `status.json` with the results.
struct OutputDirectory: Sendable {
    let path: String
    /// Whether existing files are replaced.
    let replaces: Bool

    /// The name of the document with the results.
    static let statusName = "status.json"

    /// Creates the directory if it is missing, and checks its files, so that a run does not fail halfway.
    ///
    /// - Throws: `exists` when a file of a job exists and must not be replaced; `cannot-create`.
    func prepare(for jobs: [ExecJob]) throws(VTError) {
        try FileContents.makeDirectory(path)
        guard !replaces else { return }
        let present = Set(try DirectoryListing.names(in: path))
        let names = [Self.statusName] + jobs.flatMap { [Self.outputName(of: $0), Self.errorOutputName(of: $0)] }
        guard let name = names.first(where: present.contains) else { return }
        throw VTError(.exists, "'\(path)/\(name)' already exists", hint: "add --force to replace it")
    }

    static func outputName(of job: ExecJob) -> String {
        "\(job.name.targetFileName).stdout"
    }

    static func errorOutputName(of job: ExecJob) -> String {
        "\(job.name.targetFileName).stderr"
    }

    /// Creates a file in the directory, or truncates the one that is replaced; it is closed when the sink is released.
    ///
    /// Writes block, which is acceptable for files on a local disk. The mode is 0600, and symbolic links are not followed.
    func sink(_ name: String) throws(VTError) -> any ByteSink {
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (replaces ? O_TRUNC : O_EXCL)
        let file = try OpenFile(opening: "\(path)/\(name)", flags, failure: .cannotCreate)
        return CallbackSink { bytes throws(VTError) in try file.writeAll(bytes) }
    }

    /// Writes the results atomically.
    func write(_ results: [ExecResult]) throws(VTError) {
        let file = try AtomicFile(at: "\(path)/\(Self.statusName)", replaces: replaces)
        try file.write(results.jsonDocument)
        try file.commit()
    }
}
