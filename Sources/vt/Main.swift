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
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let executor = LoopExecutor(eventLoop)
            let runner = CompositionRoot(executor: executor).makeRunner()
            Task(executorPreference: executor) {
                exit(CInt(await runner.run(arguments)))
            }
        }
    }

    /// The words after the program's name, byte for byte.
    private static var arguments: [ByteString] {
        let words = UnsafeBufferPointer(start: Swift.CommandLine.unsafeArgv, count: Int(Swift.CommandLine.argc))
        return words.dropFirst().compactMap { word in
            word.map { ByteString(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
