import Core

/// The forwards of one connection.
package struct ForwardRequest: Sendable {
    package var forwards: [Forward]
    /// Whether a forward that cannot be set up is an error.
    package var exitsOnFailure = false
    package var options = ForwardOptions()

    package init(_ forwards: [Forward]) {
        self.forwards = forwards
    }

    /// The forwards requested by ssh_config(5) options.
    package init(_ settings: HostSettings, addressFamily: AddressFamily?) {
        self.init(settings.clearsForwards == true ? [] : settings.forwards?.withoutRepetition ?? [])
        exitsOnFailure = settings.exitsOnFailure ?? false
        options.acceptsFromAnywhere = settings.acceptsFromAnywhere ?? false
        options.replacesSockets = settings.replacesSockets ?? false
        options.addressFamily = addressFamily
    }
}
