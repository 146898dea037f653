import Core
import Glibc
import System

/// A control group in which the kernel keeps the processes of a session stopped (cgroups(7)).
///
/// It exists only while the session is frozen, below a group that contains only this session, such as a scope of
/// systemd. Both versions are supported: `cgroup.freeze` of version 2, and the controller `freezer` of version 1.
struct FreezerGroup {
    private let parent: Hierarchy.Group
    private let group: Hierarchy.Group

    /// Creates a frozen group for a session whose holder is this process; nil if the holder's group contains other
    /// processes, or cannot be changed.
    init?(of id: SessionID) {
        for hierarchy in Hierarchy.all {
            guard let parent = hierarchy.group(of: getpid()), parent.processes.allSatisfy(Self.isOwn) else { continue }
            let group = parent.child("\(Self.prefix)\(id.text)")
            guard unsafe mkdir(group.directory, 0o755) == 0 || errno == EEXIST else { continue }
            guard group.setFrozen(true) else {
                unsafe rmdir(group.directory)
                continue
            }
            self.parent = parent
            self.group = group
            return
        }
        return nil
    }

    private static let prefix = "vt-"
    /// More than any chain of parents is long.
    private static let depthLimit = 10_000

    /// Whether a process is this one or one of its descendants, except holders and their descendants, or has exited.
    private static func isOwn(_ process: pid_t) -> Bool {
        var (current, depth) = (process, 0)
        while current != getpid() {
            depth += 1
            guard current > 1, depth < depthLimit else { return false }
            guard let entry = ProcessEntry(current) else {
                // If a parent has exited, the process has another parent now.
                if current == process { return true }
                current = process
                continue
            }
            if entry.isHolder { return false }
            current = entry.parent
        }
        return true
    }

    /// Whether the kernel reports that all processes in the group are stopped.
    var isFrozen: Bool { group.isFrozen }

    func contains(_ process: pid_t) -> Bool {
        parent.hierarchy.group(of: process)?.path == group.path
    }

    /// Moves a process into the group, if it is in the group of the holder; returns whether it has been moved.
    ///
    /// A process in another group stays there, because its group may have been made for it.
    func take(_ process: pid_t) -> Bool {
        parent.hierarchy.group(of: process)?.path == parent.path && group.add(process)
    }

    /// Moves all processes back, which continues them, and removes the group.
    func release() {
        // A process that is moved continues at once, and can create others only in the group it is in now.
        for process in group.processes where !parent.add(process) {
            _ = group.setFrozen(false)
        }
        unsafe rmdir(group.directory)
    }

    /// Removes the group of a session that was killed while it was frozen; nothing happens if there is none.
    static func remove(of id: SessionID) {
        for hierarchy in Hierarchy.all {
            guard let parent = hierarchy.group(of: getpid()) else { continue }
            unsafe rmdir(parent.child("\(prefix)\(id.text)").directory)
        }
    }

    /// Continues the processes in frozen groups among these; returns the directories of the groups.
    static func thaw(_ processes: [ProcessEntry]) -> Set<String> {
        var directories: Set<String> = []
        for process in processes {
            // Most processes are in no such group, and reading one file shows that.
            guard let text = SmallFile.read("/proc/\(process.processID)/cgroup"),
                String(decoding: text, as: UTF8.self).contains("/\(prefix)")
            else { continue }
            for group in Hierarchy.all.compactMap({ $0.group(of: process.processID) }) {
                guard let name = group.path.split(separator: "/").last, name.hasPrefix(prefix),
                    SessionID(String(name.dropFirst(prefix.count))) != nil, group.setFrozen(false)
                else { continue }
                directories.insert(group.directory)
            }
        }
        return directories
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
        let lines = String(decoding: SmallFile.read("/proc/self/mountinfo") ?? [], as: UTF8.self).split(separator: "\n")
        return lines.compactMap { Hierarchy(mount: $0) }.sorted { $0.isUnified && !$1.isUnified }
    }

    /// Parses a line of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)).
    private init?(mount line: Substring) {
        let fields = line.split(separator: " ")
        guard let end = fields.firstIndex(of: "-"), end >= 6, fields.count > end + 3 else { return nil }
        switch fields[end + 1] {
        case "cgroup2": isUnified = true
        case "cgroup" where fields[end + 3].split(separator: ",").contains("freezer"): isUnified = false
        default: return nil
        }
        (root, mountPoint) = (String(fields[3]), String(fields[4]))
    }

    /// The group of a process; nil if it is outside of what is mounted.
    func group(of process: pid_t) -> Group? {
        let text = String(decoding: SmallFile.read("/proc/\(process)/cgroup") ?? [], as: UTF8.self)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isHere = isUnified ? fields[0] == "0" : fields[1].split(separator: ",").contains("freezer")
            guard isHere, fields[2].hasPrefix(root == "/" ? "" : root) else { continue }
            return Group(hierarchy: self, path: String(fields[2]))
        }
        return nil
    }

    struct Group {
        let hierarchy: Hierarchy
        /// As in `/proc/PID/cgroup`.
        let path: String

        var directory: String {
            let path = hierarchy.root == "/" ? path : String(path.dropFirst(hierarchy.root.count))
            return path == "/" ? hierarchy.mountPoint : hierarchy.mountPoint + path
        }

        func child(_ name: String) -> Group {
            Group(hierarchy: hierarchy, path: path == "/" ? "/\(name)" : "\(path)/\(name)")
        }

        /// 0 stands for a process outside of the PID namespace.
        var processes: [pid_t] {
            String(decoding: SmallFile.read("\(directory)/cgroup.procs") ?? [], as: UTF8.self).split(separator: "\n")
                .compactMap { pid_t($0) }
        }

        func add(_ process: pid_t) -> Bool {
            write("\(process)", to: "cgroup.procs")
        }

        func setFrozen(_ isFrozen: Bool) -> Bool {
            hierarchy.isUnified
                ? write(isFrozen ? "1" : "0", to: "cgroup.freeze")
                : write(isFrozen ? "FROZEN" : "THAWED", to: "freezer.state")
        }

        var isFrozen: Bool {
            let file = hierarchy.isUnified ? "cgroup.events" : "freezer.state"
            let lines = String(decoding: SmallFile.read("\(directory)/\(file)") ?? [], as: UTF8.self).split(
                separator: "\n"
            )
            return lines.contains(hierarchy.isUnified ? "frozen 1" : "FROZEN")
        }

        private func write(_ text: String, to file: String) -> Bool {
            let descriptor = unsafe open("\(directory)/\(file)", O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return BlockingIO.write(descriptor, Array(text.utf8)) == 0
        }
    }
}
