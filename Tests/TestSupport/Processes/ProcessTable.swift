import Foundation

/// The processes of this machine, from /proc.
package enum ProcessTable {
    /// The variable that a fixture sets for everything it starts; servers pass it to the commands they run.
    package static let tagVariable = "VT_FIXTURE"

    /// The running processes with the tag in their environment, with a home in the directory, or in the process group,
    /// and all their descendants.
    ///
    /// All criteria are needed: the holder of a session and a mux server inherit few variables, HOME among them; sshd
    /// overwrites its environment, and gives each command its own process group.
    package static func processes(
        tagged tag: String? = nil,
        within directory: String? = nil,
        group: pid_t? = nil
    ) -> [pid_t] {
        let all = entries().filter { !$0.isZombie }
        let marks = [tag.map { "\(tagVariable)=\($0)" }, directory.map { "HOME=\($0)/" }].compactMap {
            $0.map { Array($0.utf8) }
        }
        let marked = all.filter { entry in
            if let group, entry.group == group { return true }
            return !marks.isEmpty && hasOne(of: marks, entry.pid)
        }
        var found = Set(marked.map(\.pid))
        var newest = found
        while !newest.isEmpty {
            newest = Set(all.filter { newest.contains($0.parent) }.map(\.pid)).subtracting(found)
            found.formUnion(newest)
        }
        return found.sorted()
    }

    /// The number of children of a process, including those that have exited but were not reaped.
    package static func childCount(of parent: pid_t) -> Int {
        entries().count { $0.parent == parent }
    }

    /// The command line of a process, joined with spaces; empty once it has exited.
    package static func command(_ pid: pid_t) -> String {
        contents("/proc/\(pid)/cmdline").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
    }

    /// The peak resident memory of a running process so far, in bytes, without the pages of its program and libraries
    /// (VmHWM and RssFile, proc_pid_status(5)).
    ///
    /// In debug builds, those are most of the memory, and grow with the code that happens to run.
    package static func peakResidentBytes(of pid: pid_t) throws -> Int {
        let lines = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n")
        func bytes(_ name: String) throws -> Int {
            guard let line = lines.first(where: { $0.hasPrefix("\(name):") }),
                let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else { throw FixtureError("no \(name): the process has exited") }
            return kilobytes * 1024
        }
        return try bytes("VmHWM") - bytes("RssFile")
    }

    /// The processor time that a process has used, in clock ticks (fields 14 and 15 of /proc/PID/stat, proc(5)).
    package static func processorTicks(of pid: pid_t) throws -> Int {
        let text = String(decoding: contents("/proc/\(pid)/stat"), as: UTF8.self)
        // The fields from the third on follow the name in parentheses.
        let fields = text.drop { $0 != ")" }.split(separator: " ").dropFirst().dropFirst(11).prefix(2)
        guard fields.count == 2 else { throw FixtureError("no /proc/\(pid)/stat: the process has exited") }
        return fields.reduce(0) { $0 + (Int($1) ?? 0) }
    }

    /// Kills the processes that `processes` returns until none remain.
    ///
    /// Stops after 100 attempts.
    package static func killAll(tagged tag: String? = nil, within directory: String? = nil, group: pid_t? = nil) {
        for _ in 0..<100 {
            let left = processes(tagged: tag, within: directory, group: group)
            if left.isEmpty { return }
            for pid in left { kill(pid, SIGKILL) }
            usleep(2000)
        }
    }

    private struct Entry {
        var pid: pid_t
        var parent: pid_t
        var group: pid_t
        var isZombie: Bool
    }

    private static func entries() -> [Entry] {
        // Without /proc there are no processes to find, and tests that look for one fail.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap { pid in
            // proc_pid_stat(5): `pid (name) state ppid pgrp …`; the name may contain spaces and parentheses.
            let bytes = contents("/proc/\(pid)/stat")
            guard let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = bytes[nameEnd...].split(separator: UInt8(ascii: " "), maxSplits: 4).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard fields.count > 3, let parent = pid_t(fields[2]), let group = pid_t(fields[3]) else { return nil }
            return Entry(pid: pid, parent: parent, group: group, isZombie: fields[1] == "Z")
        }
    }

    private static func hasOne(of marks: [[UInt8]], _ pid: pid_t) -> Bool {
        contents("/proc/\(pid)/environ").split(separator: 0).contains { variable in
            marks.contains { variable.starts(with: $0) }
        }
    }

    /// Returns the contents of a file, or an empty value if its process has exited.
    ///
    /// Tests read every process of the machine thousands of times, which takes Foundation minutes.
    private static func contents(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        while true {
            let chunk = [UInt8](unsafeUninitializedCapacity: 8192) { $1 = max(0, read(file, $0.baseAddress, $0.count)) }
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }
}
