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

    /// Returns the results of the run to which a retry belongs; nil if there are none.
    ///
    /// - Throws: `data.invalid` when the document cannot be read; `io`.
    func report() throws(VTError) -> ExecReport? {
        let path = "\(path)/\(Self.statusName)"
        return try FileContents.read(path).map { bytes throws(VTError) in try ExecReport(bytes, path: path) }
    }

    /// Creates the directory if it is missing, and checks its files, so that a run does not fail halfway.
    ///
    /// Files of targets in `report` are replaced.
    ///
    /// - Throws: `exists` when a file of a job exists and must not be replaced; `cannot-create`.
    func prepare(for jobs: [ExecJob], report: ExecReport?) throws(VTError) {
        try FileContents.makeDirectory(path)
        let present = Set(try DirectoryListing.names(in: path))
        func check(_ name: String, isOwn: Bool) throws(VTError) {
            guard replaces || isOwn || !present.contains(name) else {
                throw VTError(.exists, "'\(path)/\(name)' already exists", hint: "add --force to replace it")
            }
        }
        try check(Self.statusName, isOwn: report != nil)
        _ = try AtomicFile(at: "\(path)/\(Self.statusName)", replaces: true)
        for job in jobs {
            for name in [Self.outputName(of: job), Self.errorOutputName(of: job)] where present.contains(name) {
                try check(name, isOwn: report?.contains(job.name) == true)
                // A FIFO, a directory and a symbolic link cannot be replaced.
                let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
                _ = try OpenFile(opening: "\(path)/\(name)", flags, failure: .cannotCreate)
            }
        }
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
    func sink(_ name: String, replaces: Bool) throws(VTError) -> any ByteSink {
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (self.replaces || replaces ? O_TRUNC : O_EXCL)
        let file = try OpenFile(opening: "\(path)/\(name)", flags, failure: .cannotCreate)
        return CallbackSink { bytes throws(VTError) in try file.writeAll(bytes) }
    }

    /// Writes the results atomically, for the user alone, with those that `report` has of other targets.
    func write(_ results: [ExecResult], report: ExecReport?) throws(VTError) {
        let file = try AtomicFile(at: "\(path)/\(Self.statusName)", replaces: replaces || report != nil, mode: 0o600)
        try file.write((report ?? ExecReport()).document(replacing: results))
        try file.commit()
    }
}
