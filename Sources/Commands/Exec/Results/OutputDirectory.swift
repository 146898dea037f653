import Core
import POSIX
import Services

/// The directory of `--output-dir`: a file for each target and stream, and `status.json` with the results.
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
        "\(fileName(job.name)).stdout"
    }

    static func errorOutputName(of job: ExecJob) -> String {
        "\(fileName(job.name)).stderr"
    }

    /// Creates a file in the directory.
    func sink(_ name: String) throws(VTError) -> FileSink {
        try FileSink("\(path)/\(name)", replacing: replaces)
    }

    /// Writes the results at once.
    func write(_ results: [ExecResult]) throws(VTError) {
        let file = try AtomicFile(at: "\(path)/\(Self.statusName)", replaces: replaces)
        try file.write(JSONText.document(results) + [UInt8(ascii: "\n")])
        try file.commit()
    }

    /// The longest name that leaves room for a hash and an ending in the 255 bytes of a file name (NAME_MAX).
    private static let nameLimitBytes = 220

    /// Returns a file name for the name of a target; different names have different file names.
    ///
    /// Bytes other than `A–Z a–z 0–9 . _ - @ :` are percent-encoded, and so is a dot at the beginning. A hash replaces
    /// the end of a name that is too long.
    static func fileName(_ name: String) -> String {
        var result = ""
        for (index, byte) in name.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "."): result += index == 0 ? "%2E" : "."
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "@"),
                UInt8(ascii: ":"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
        }
        guard result.utf8.count > nameLimitBytes else { return result }
        return "\(result.prefix(nameLimitBytes - 17))%\(String(StableHash.hash(name.utf8), radix: 16))"
    }
}
