/// What a case wants of its server besides the replies.
struct ServerOrders: Sendable, Equatable {
  /// Whether a body that comes without credentials is not waited for.
  var requiresAuthorization = false
  /// Whether a body that is announced by `Expect` is not waited for.
  var ignoresExpectedBody = false
  /// Whether a request gets no answer at all.
  var staysIdle = false
  /// Whether a request gets an answer that never ends.
  var streams = false
  var closesAfterReply = false
  /// How much of a request's body is not waited for.
  var skippedBodyBytes = 0
  /// Between a connection's beginning and the first look at what it brings.
  var delay: Duration = .zero
  /// Between two pieces of a reply.
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
      // curl's server notes the end of connections among the requests, and only that may differ.
      case ("connection-monitor", nil): break
      default: throw CaseProblem("the server does not know `\(line)`")
      }
    }
  }
}
