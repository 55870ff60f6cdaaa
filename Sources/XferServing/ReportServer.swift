package import XferEvents

/// An HTTP/1.1 server on 127.0.0.1 that shows the latest report to browsers with its token.
package final class ReportServer: Sendable {
  package let port: Int
  package let token: AccessToken
  private let listener: HTTPListener

  /// Starts a server, which the caller must stop.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 selects a free port.
  ///   - token: what clients must present.
  ///   - report: the report that the caller publishes.
  ///   - page: the parts of the page that do not depend on the report.
  package init(
    port: Int, token: AccessToken, report: LiveReport, page: ServedPages.Page, now: @escaping @Sendable () -> WallTime
  ) throws(ServingError) {
    do {
      listener = try HTTPListener(host: "127.0.0.1", port: port) { bound, connections in
        let pages = ServedPages(
          policy: RequestPolicy(port: bound, token: token), report: report, page: page, now: now, connections: connections)
        return { ReportHandler(pages, size: $0) }
      }
      (self.port, self.token) = (listener.port, token)
    } catch {
      throw ServingError(port: port, error)
    }
  }

  /// The address to open: with the token, which the server moves to a cookie.
  package var url: String { "http://127.0.0.1:\(port)/?token=\(token.text)" }

  /// Closes the port and all connections.
  package func stop() { listener.stop() }
}
