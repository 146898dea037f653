import Glibc

extension VTError {
    /// The errors of operations that are not permitted on a file, whatever its contents; EBUSY is that of a mount point.
    private static let refusals: Set<CInt> = [EACCES, EPERM, EROFS, EBUSY, EXDEV]

    /// Returns the error for a failed system call, with the code derived from `errorNumber`.
    ///
    /// `errorNumber` is `errno`, read before any other call. `message` says what failed, without the reason, such as
    /// `cannot open 'x'`. `fallback` is the code to use when `errorNumber` does not determine one.
    package static func system(_ errorNumber: CInt, _ message: String, fallback: VTError.Code = .io) -> VTError {
        let code: VTError.Code =
            switch errorNumber {
            case ENOENT, ENOTDIR: .notFound
            case EMFILE, ENFILE, ENOMEM, EAGAIN: .system
            default: fallback
            }
        var error = VTError(code, "\(message): \(systemErrorText(errorNumber))")
        error.isRefusal = refusals.contains(errorNumber)
        return error
    }
}

/// Returns the message for an error number, starting with a lowercase letter: `permission denied`.
package func systemErrorText(_ errorNumber: CInt) -> String {
    guard let description = unsafe strerror(errorNumber) else { return "error \(errorNumber)" }
    let text = unsafe String(cString: description)
    return text.prefix(1).lowercased() + text.dropFirst()
}
