/// The server commands of a case, which change how the server sends its replies.
struct ServerOrders: Sendable, Equatable {
  /// Whether the server does not wait for the body of a request without credentials.
  var requiresAuthorization = false
  /// Whether the server does not wait for a body that `Expect` announces.
  var ignoresExpectedBody = false
  /// Whether the server never replies.
  var staysIdle = false
  /// Whether the server sends a reply that never ends.
  var streams = false
  var closesAfterReply = false
  /// The number of bytes at the end of a request's body for which the server does not wait.
  var skippedBodyBytes = 0
  /// The delay between accepting a connection and reading from it.
  var delay: Duration = .zero
  /// The delay between two pieces of a reply.
  var writeDelay: Duration = .zero

  init() {}

  init(_ lines: [String]) throws(CaseProblem) {
    for line in lines {
      let words = line.split { $0 == " " || $0 == ":" }
      let number = words.count == 2 ? Int(words[1]) : nil
      switch (words[0], number) {
      case ("auth_required", nil): requiresAuthorization = true
      case ("no-expect", nil): ignoresExpectedBody = true
      case ("idle", nil): staysIdle = true
      case ("stream", nil): streams = true
      case ("swsclose", nil), ("close", nil): closesAfterReply = true
      case ("skip", let count?): skippedBodyBytes = count
      case ("delay", let milliseconds?): delay = .milliseconds(milliseconds)
      case ("writedelay", let milliseconds?): writeDelay = .milliseconds(milliseconds)
      // curl's server would log closed connections among the requests, which are not compared here.
      case ("connection-monitor", nil): break
      default: throw CaseProblem("unsupported server command `\(line)`")
      }
    }
  }
}
