import Commands
import Core
import Glibc
import NIOPosix
import SecureShell
import SessionHost

@main
enum Main {
    /// Runs the command line on an event loop that takes over this thread: there is no other but those that block.
    static func main() {
        StandardStream.occupyClosed()
        let arguments = arguments
        if let holder = CompositionRoot.holder(arguments) { exit(CInt(holder.run())) }
        guard canOpenFiles() else {
            let message = "vt: cannot open files: \(systemErrorText(EMFILE))\nhint: ulimit -n 1024\n"
            // There is nobody else to tell.
            try? StandardStream.errorOutput.write(Array(message.utf8))
            exit(CInt(ExitCode.system.status))
        }
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let executor = LoopExecutor(eventLoop)
            let runner = CompositionRoot(executor: executor).makeRunner()
            Task(executorPreference: executor) {
                exit(CInt(await runner.run(arguments)))
            }
        }
    }

    /// What the event loop, a terminal and a connection take at the same time; without that the loop cannot be made.
    private static let leastDescriptors = 16

    /// The corresponding C function is `fcntl` with F_DUPFD_CLOEXEC.
    private static func canOpenFiles() -> Bool {
        var numbers: [CInt] = []
        defer { for number in numbers { close(number) } }
        while numbers.count < leastDescriptors {
            let number = fcntl(StandardStream.errorOutput.rawValue, F_DUPFD_CLOEXEC, 3)
            guard number >= 0 else { return false }
            numbers.append(number)
        }
        return true
    }

    /// The words after the program's name, byte for byte.
    private static var arguments: [ByteString] {
        let words = UnsafeBufferPointer(start: Swift.CommandLine.unsafeArgv, count: Int(Swift.CommandLine.argc))
        return words.dropFirst().compactMap { word in
            word.map { ByteString(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
