/// The answers of a scripted server: its routes, and the list of responses of each route.
///
/// A script is a value: read it from YAML (`init(yaml:file:)`, `init(contentsOf:)`) or build it in code. The first route that
/// matches a request answers it. A request without a matching route gets 404.
package struct ServerScript: Sendable, Equatable {
  /// The seed of generated bodies without a seed, and of bodies with `seed: path`.
  package var seed: UInt64
  /// The maximum size of a request head, in bytes. A longer head is answered with 431.
  package var headLimit: Int
  /// The time from accepting a connection to reading its first byte. The kernel completes the TCP handshake in the meantime.
  package var beforeAccept: Duration
  /// The maximum idle time after a response, after which the server closes the connection unannounced. `nil` means unlimited.
  package var idleTimeout: Duration?
  package var routes: [Route]

  package init(
    seed: UInt64 = 0, headLimit: Int = 64 << 10, beforeAccept: Duration = .zero, idleTimeout: Duration? = nil,
    _ routes: [Route]
  ) {
    self.seed = seed
    self.headLimit = headLimit
    self.beforeAccept = beforeAccept
    self.idleTimeout = idleTimeout
    self.routes = routes
  }
}

extension ServerScript {
  /// A set of requests, selected by path and method, and the list of responses to them.
  package struct Route: Sendable, Equatable {
    /// The path to match: `/exact`, `/file/{name}` (a capture of one whole segment), or `/any/*` (the star matches the rest).
    package var path: String
    /// The request method to match. `nil` means every method.
    package var method: String?
    /// The responses, one per request. Never empty.
    package var responses: [ScriptedResponse]
    package var repeats: Repetition
    package var counts: Counting

    package init(
      _ path: String, method: String? = nil, _ responses: [ScriptedResponse], repeats: Repetition = .last,
      counts: Counting = .route
    ) {
      self.path = path
      self.method = method
      self.responses = responses
      self.repeats = repeats
      self.counts = counts
    }

    package init(_ path: String, method: String? = nil, _ response: ScriptedResponse) {
      self.init(path, method: method, [response])
    }
  }

  /// The behaviour of a route after its last response.
  package enum Repetition: String, Sendable, CaseIterable {
    /// Repeats the last response.
    case last
    /// Starts over with the first response.
    case cycle
    /// Closes the connection without a response.
    case hangUp = "hang-up"
  }

  /// The scope in which requests are counted to select a route's next response.
  package enum Counting: String, Sendable, CaseIterable {
    /// All requests of the route share one count.
    case route
    /// Each path has its own count, so every file of `/file/{name}` gets the whole list of responses.
    case path
  }
}
