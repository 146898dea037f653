import Core

/// The forwards of one connection.
package struct ForwardRequest: Sendable {
    package var forwards: [Forward]
    /// Whether it is a failure if one of the forwards cannot be set up.
    package var exitsOnFailure = false
    package var options = ForwardOptions()

    package init(_ forwards: [Forward]) {
        self.forwards = forwards
    }

    /// The forwards requested by ssh_config(5) options.
    package init(_ settings: ForwardSettings, addressFamily: AddressFamily?) {
        self.init(settings.clearsForwards == true ? [] : settings.forwards)
        exitsOnFailure = settings.exitsOnFailure ?? false
        options.acceptsFromAnywhere = settings.acceptsFromAnywhere ?? false
        options.replacesSockets = settings.replacesSockets ?? false
        options.addressFamily = addressFamily
    }
}
