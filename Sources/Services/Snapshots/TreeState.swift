import Core
import Glibc
import System

/// The files of a tree, as saved in git's objects.
struct TreeState: Sendable {
    /// The ID of the tree of git.
    var objectID = ""
    /// The rules by which files were ignored, for `SnapshotStore.adopt`.
    var rules = ""
    /// The name of the index, which is to be adopted.
    let index: String
    var omitted: [OmittedFile] = []
    /// The size of the saved regular files.
    private(set) var sizeBytes: UInt64 = 0
    /// The saved files that are not regular.
    private(set) var links: Set<ByteString> = []
    var directories: [ByteString: UInt16] = [:]
    var emptyDirectories: Set<ByteString> = []

    /// The modes of the regular files that are as in an older index, which are most: their paths stay in it.
    private var unchanged: [(entry: Int, mode: UInt16)] = []
    private let olderIndex: IndexFile
    /// The modes of the other regular files.
    private var changed: [ByteString: UInt16] = [:]
    /// The versions of the files that were read.
    private var versions: [ByteString: FileVersion] = [:]

    init(index: String, _ scan: TreeScan.Result, of olderIndex: IndexFile) {
        self.index = index
        self.olderIndex = olderIndex
        unchanged.reserveCapacity(scan.unchanged.count)
        for (entry, mode, size) in scan.unchanged {
            if FileAttributes.Kind(mode: mode) == .file {
                unchanged.append((entry, UInt16(mode & 0o7777)))
                sizeBytes += UInt64(clamping: size)
            } else {
                links.insert(olderIndex.path(entry))
            }
        }
    }

    /// Adds a changed or new file; one that has been removed meanwhile is found by the next snapshot.
    mutating func add(_ path: ByteString, _ status: stat) {
        versions[path] = FileVersion(status)
        if FileAttributes.Kind(mode: status.st_mode) == .file {
            changed[path] = UInt16(status.st_mode & 0o7777)
            sizeBytes += UInt64(clamping: status.st_size)
        } else {
            links.insert(path)
        }
    }

    /// Whether a file is still the one that is saved.
    func isCurrent(_ path: ByteString, _ status: stat) -> Bool {
        if let version = versions[path] { return FileVersion(status) == version }
        return olderIndex.entry(of: path).map { olderIndex.matches($0, status) } ?? false
    }

    var fileCount: Int { unchanged.count + changed.count + links.count }

    func manifest() -> Manifest {
        var manifest = Manifest()
        manifest.files = changed
        manifest.files.reserveCapacity(fileCount)
        for (entry, mode) in unchanged { manifest.files[olderIndex.path(entry)] = mode }
        manifest.directories = directories
        manifest.emptyDirectories = emptyDirectories
        return manifest
    }

    /// The encoded manifest, without the paths of the files that have the usual modes.
    var encodedManifest: [UInt8] {
        var counts = Manifest.ModeCounts()
        for (_, mode) in unchanged { counts.add(mode) }
        for mode in changed.values { counts.add(mode) }
        let usual = counts.usual
        var manifest = Manifest()
        manifest.files = changed
        for (entry, mode) in unchanged where mode != usual.mode(like: mode) {
            manifest.files[olderIndex.path(entry)] = mode
        }
        manifest.directories = directories
        manifest.emptyDirectories = emptyDirectories
        return manifest.encoded(usual)
    }
}
