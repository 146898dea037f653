import CLinux
import Core
import Glibc

/// Changes of the files in the directory.
extension TreeDirectory {
    /// Creates the directory at an absolute path without symbolic links, and those that contain it, unless they exist.
    package static func make(root path: String) throws(VTError) {
        guard try TreeDirectory(root: path) == nil, var directory = try TreeDirectory(root: "/") else { return }
        for name in ByteString(path).bytes.split(separator: UInt8(ascii: "/")).map({ ByteString($0) }) {
            try directory.makeDirectory(name)
            guard let next = try directory.directory(name) else { throw directory.error(ENOTDIR, "enter", name) }
            directory = next
        }
    }

    /// Creates a regular file that does not exist, with mode 0600; the corresponding C function is `openat`.
    package func create(_ name: ByteString) throws(VTError) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe name.withCString { unsafe openat(descriptor.number, $0, flags, 0o600) }
        guard number >= 0 else { throw failure("create", name) }
        return FileDescriptor(owning: number)
    }

    /// Creates a symbolic link; the corresponding C function is `symlinkat`.
    package func makeLink(_ name: ByteString, to target: ByteString) throws(VTError) {
        let result = unsafe name.withCString { name in
            unsafe target.withCString { unsafe symlinkat($0, descriptor.number, name) }
        }
        guard result == 0 else { throw failure("create", name) }
    }

    /// Creates a directory with mode 0700, unless there is one; the corresponding C function is `mkdirat`.
    package func makeDirectory(_ name: ByteString) throws(VTError) {
        if unsafe name.withCString({ unsafe mkdirat(descriptor.number, $0, 0o700) }) == 0 { return }
        let failure = errno
        guard failure == EEXIST, let status = try status(name),
            FileAttributes.Kind(mode: status.st_mode) == .directory
        else { throw error(failure, "create", name) }
    }

    /// Moves a file to another directory, where it replaces none; returns false if there is one.
    ///
    /// The corresponding C function is `renameat2`, or `renameat` where the file system does not support that.
    package func move(_ name: ByteString, to other: TreeDirectory, as newName: ByteString) throws(VTError) -> Bool {
        let failure = unsafe name.withCString { name in
            unsafe newName.withCString { unsafe ctree_move(descriptor.number, name, other.descriptor.number, $0) }
        }
        switch failure {
        case 0: return true
        case EEXIST: return false
        case EINVAL, ENOSYS:
            guard try other.status(newName) == nil else { return false }
            try replace(name, to: other, as: newName)
            return true
        default: throw other.error(failure, "create", newName)
        }
    }

    /// Exchanges a file with one in another directory; returns false where the file system does not support that.
    ///
    /// The corresponding C function is `renameat2`.
    package func exchange(_ name: ByteString, with other: TreeDirectory, _ otherName: ByteString) throws(VTError)
        -> Bool
    {
        let failure = unsafe name.withCString { name in
            unsafe otherName.withCString { unsafe ctree_exchange(descriptor.number, name, other.descriptor.number, $0) }
        }
        if failure == EINVAL || failure == ENOSYS { return false }
        guard failure == 0 else { throw other.error(failure, "replace", otherName) }
        return true
    }

    /// Moves a file to another directory, where it replaces any; the corresponding C function is `renameat`.
    package func replace(_ name: ByteString, to other: TreeDirectory, as newName: ByteString) throws(VTError) {
        let result = unsafe name.withCString { name in
            unsafe newName.withCString { unsafe renameat(descriptor.number, name, other.descriptor.number, $0) }
        }
        guard result == 0 else { throw other.failure("replace", newName) }
    }

    /// Removes a file that may not exist; the corresponding C function is `unlinkat`.
    package func remove(_ name: ByteString) throws(VTError) {
        let result = unsafe name.withCString { unsafe unlinkat(descriptor.number, $0, 0) }
        guard result == 0 || errno == ENOENT else { throw failure("remove", name) }
    }

    /// Removes a directory if it is empty and not a mount point; returns whether it is gone.
    package func removeEmptyDirectory(_ name: ByteString) throws(VTError) -> Bool {
        let result = unsafe name.withCString { unsafe unlinkat(descriptor.number, $0, AT_REMOVEDIR) }
        guard result != 0, errno != ENOENT else { return true }
        guard [ENOTEMPTY, EEXIST, ENOTDIR, EBUSY].contains(errno) else { throw failure("remove", name) }
        return false
    }

    /// Sets the mode of a file of this version; returns false if there is another one, or a symbolic link.
    package func setMode(_ name: ByteString, _ mode: mode_t, of version: FileVersion) throws(VTError) -> Bool {
        let flags = Self.openPath | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe name.withCString { unsafe openat(descriptor.number, $0, flags) }
        guard number >= 0 else {
            guard errno == ENOENT else { throw failure("set the mode of", name) }
            return false
        }
        let file = FileDescriptor(owning: number)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, FileVersion(status) == version,
            FileAttributes.Kind(mode: status.st_mode) != .link
        else { return false }
        let failure = ctree_set_mode(file.number, mode)
        guard failure == 0 else { throw error(failure, "set the mode of", name) }
        return true
    }

    /// Sets the mode of the directory; the corresponding C function is `fchmodat2`.
    package func setMode(_ mode: mode_t) throws(VTError) {
        let failure = ctree_set_mode(descriptor.number, mode)
        guard failure == 0 else { throw error(failure, "set the mode of", "") }
    }
}
