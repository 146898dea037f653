import Core
import Services

/// Makes the services that commands act through, each when it is first asked for.
package protocol ServiceFactory: Sendable {
    /// The libraries in use, with the versions found at run time.
    func libraryVersions() throws(VTError) -> [LibraryVersion]

    func completionService() throws(VTError) -> CompletionService
}
