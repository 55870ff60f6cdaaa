import XferEvents
package import XferLifecycle

extension TaskLifecycle {
  /// The host of the first request, with its port unless that is the default one of the scheme.
  package var hostText: String? { host.map { HostText.text($0, port: port, scheme: scheme) } }
}

extension RedirectTrail.Origin {
  /// The host with its port unless that is the default one of the scheme.
  var hostText: String? { host.map { HostText.text($0, port: port, scheme: scheme) } }
}
