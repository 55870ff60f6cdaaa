/// What a scripted server answers: its routes and, for each, the responses that it gives in turn.
///
/// A script is a value: read it from YAML (`init(yaml:file:)`, `init(contentsOf:)`) or build it in code. The first
/// route that matches a request answers it; a request that none matches gets 404.
public struct ServerScript: Sendable, Equatable {
  /// Seeds the generated bodies that name no seed of their own, and those with `seed: path`.
  public var seed: UInt64
  /// The largest request head in bytes; a longer one is answered with 431.
  public var headLimit: Int
  /// Time from a connection's accept until its first byte is read. The kernel completes the handshake meanwhile.
  public var beforeAccept: Duration
  /// A kept connection is closed, unannounced, when no request follows a response in this time; `nil` means never.
  public var idleTimeout: Duration?
  public var routes: [Route]

  public init(
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
  /// The requests that a path and a method select, and the responses that they get in turn.
  public struct Route: Sendable, Equatable {
    /// `/exact`, `/file/{name}` (a capture takes one whole segment), or `/any/*` (the star takes the rest).
    public var path: String
    /// `nil` means every method.
    public var method: String?
    /// Used up one per request; never empty.
    public var responses: [ScriptedResponse]
    public var repeats: Repetition
    public var counts: Counting

    public init(
      _ path: String, method: String? = nil, _ responses: [ScriptedResponse], repeats: Repetition = .last,
      counts: Counting = .route
    ) {
      self.path = path
      self.method = method
      self.responses = responses
      self.repeats = repeats
      self.counts = counts
    }

    public init(_ path: String, method: String? = nil, _ response: ScriptedResponse) {
      self.init(path, method: method, [response])
    }
  }

  /// What follows the last response of a route.
  public enum Repetition: String, Sendable, CaseIterable {
    /// The last response again.
    case last
    /// The first response again.
    case cycle
    /// The connection is closed without a response.
    case hangUp = "hang-up"
  }

  /// What a route's place in its list of responses belongs to.
  public enum Counting: String, Sendable, CaseIterable {
    /// To the route: its requests share one list.
    case route
    /// To each path: every file of `/file/{name}` goes through the list by itself.
    case path
  }
}
