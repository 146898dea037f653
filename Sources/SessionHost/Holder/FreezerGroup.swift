import Core
import Glibc
import System

/// A control group that contains the processes of a session, so that the kernel can stop all of them at once, however
/// fast they create others (cgroups(7)).
///
/// It is below a group that contains only the holder, such as a scope of systemd. Both versions are supported:
/// `cgroup.freeze` of version 2, and the controller `freezer` of version 1.
struct FreezerGroup {
    private let hierarchy: Hierarchy
    /// As in `/proc/PID/cgroup`.
    private let path: String

    private static let prefix = "vt-"

    /// Creates the group for a session whose holder is this process; nil if the holder's group contains other processes
    /// than the one that creates the session, or cannot be changed.
    init?(of id: SessionID) {
        for hierarchy in Hierarchy.all {
            guard let parent = Self(of: getpid(), in: hierarchy),
                parent.processes.allSatisfy({ $0 == getpid() || $0 == getppid() })
            else { continue }
            let group = Self(hierarchy, "\(parent.path == "/" ? "" : parent.path)/\(Self.prefix)\(id.text)")
            guard unsafe mkdir(group.directory, 0o755) == 0 || errno == EEXIST else { continue }
            guard group.setFrozen(false) else {
                group.remove()
                continue
            }
            self = group
            return
        }
        return nil
    }

    private init(_ hierarchy: Hierarchy, _ path: String) {
        (self.hierarchy, self.path) = (hierarchy, path)
    }

    /// The group of a process; nil if it is outside of what is mounted.
    private init?(of process: pid_t, in hierarchy: Hierarchy) {
        for line in FileContents.smallLines("/proc/\(process)/cgroup") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isHere = hierarchy.isUnified ? fields[0] == "0" : fields[1].split(separator: ",").contains("freezer")
            guard isHere, fields[2].hasPrefix(hierarchy.root == "/" ? "" : hierarchy.root) else { continue }
            self.init(hierarchy, String(fields[2]))
            return
        }
        return nil
    }

    /// Moves a process to the group, with all processes that it will create.
    ///
    /// A process that cannot be moved is not in the group, and has to be stopped in another way.
    func add(_ process: pid_t) {
        _ = write("\(process)", to: "cgroup.procs")
    }

    func contains(_ process: pid_t) -> Bool {
        Self(of: process, in: hierarchy)?.path == path
    }

    /// Begins to stop all processes in the group; returns false, and stops none, if the group contains the holder of
    /// another session, which must not stop.
    func freeze() -> Bool {
        guard setFrozen(true) else { return false }
        // None can be started from now on.
        guard !processes.contains(where: { ProcessEntry($0)?.isHolder ?? false }) else {
            thaw()
            return false
        }
        return true
    }

    /// Whether all processes in the group have stopped.
    var isFrozen: Bool {
        let (file, line) = hierarchy.isUnified ? ("cgroup.events", "frozen 1") : ("freezer.state", "FROZEN")
        return FileContents.smallLines("\(directory)/\(file)").contains { $0 == line }
    }

    /// Continues all processes in the group.
    func thaw() {
        _ = setFrozen(false)
    }

    /// Removes the group, unless processes remain in it.
    func remove() {
        unsafe rmdir(directory)
    }

    /// Continues those of these processes that are in the group of a session whose holder is gone; returns the
    /// directories of the group, of which there is more than one if the session has been resumed elsewhere.
    static func thaw(_ processes: [ProcessEntry], of id: SessionID) -> Set<String> {
        var directories: Set<String> = []
        let hierarchies = Hierarchy.all
        for process in processes {
            for group in hierarchies.compactMap({ Self(of: process.processID, in: $0) })
            where group.path.hasSuffix("/\(prefix)\(id.text)") {
                if directories.insert(group.directory).inserted { group.thaw() }
            }
        }
        return directories
    }

    // MARK: - Files

    private var directory: String {
        let path = hierarchy.root == "/" ? path : String(path.dropFirst(hierarchy.root.count))
        return path == "/" ? hierarchy.mountPoint : hierarchy.mountPoint + path
    }

    /// 0 stands for a process outside of the PID namespace.
    private var processes: [pid_t] {
        FileContents.smallLines("\(directory)/cgroup.procs").compactMap { pid_t($0) }
    }

    private func setFrozen(_ isFrozen: Bool) -> Bool {
        hierarchy.isUnified
            ? write(isFrozen ? "1" : "0", to: "cgroup.freeze")
            : write(isFrozen ? "FROZEN" : "THAWED", to: "freezer.state")
    }

    private func write(_ text: String, to file: String) -> Bool {
        let descriptor = unsafe open("\(directory)/\(file)", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return BlockingIO.write(descriptor, Array(text.utf8)) == 0
    }
}

/// A mounted hierarchy of control groups that can freeze processes.
private struct Hierarchy {
    /// Whether it is that of version 2.
    let isUnified: Bool
    /// Where it is mounted.
    let mountPoint: String
    /// The group that is mounted there.
    let root: String

    /// The hierarchies in which a process can be frozen, version 2 first.
    static var all: [Hierarchy] {
        // Without /proc, no group can be found.
        let hierarchies = FileContents.smallLines("/proc/self/mountinfo").compactMap { Hierarchy(mount: $0) }
        return hierarchies.sorted { $0.isUnified && !$1.isUnified }
    }

    /// Parses a line of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)).
    private init?(mount line: Substring) {
        let fields = line.parts(at: " ")
        guard let end = fields.firstIndex(of: "-"), end >= 6, fields.count > end + 3 else { return nil }
        switch fields[end + 1] {
        case "cgroup2": isUnified = true
        case "cgroup" where fields[end + 3].split(separator: ",").contains("freezer"): isUnified = false
        default: return nil
        }
        (root, mountPoint) = (String(fields[3]), String(fields[4]))
    }
}
