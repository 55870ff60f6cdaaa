internal import Synchronization

/// The requests for metrics, which one thread answers and many connections make.
package final class LiveMetrics: Sendable {
  private let waiting = Mutex<[@Sendable (Answer) -> Void]>([])
  private let onRequest: @Sendable () -> Void

  package enum Answer: Sendable {
    /// The metrics in the exposition format of Prometheus.
    case metrics(String)
    /// The reason why there are no metrics, as a sentence.
    case problem(String)
  }

  /// - Parameter onRequest: called on the server's thread when a client asks for metrics.
  package init(onRequest: @escaping @Sendable () -> Void) { self.onRequest = onRequest }

  /// Whether any client waits for metrics.
  package var isAwaited: Bool { waiting.withLock { !$0.isEmpty } }

  /// Answers all requests so far.
  package func answer(_ answer: Answer) {
    let waiting = self.waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for respond in waiting { respond(answer) }
  }

  /// - Parameter respond: called once, on the thread that answers.
  func ask(_ respond: @escaping @Sendable (Answer) -> Void) {
    waiting.withLock { $0.append(respond) }
    onRequest()
  }
}
