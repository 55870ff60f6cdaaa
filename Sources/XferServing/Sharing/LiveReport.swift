internal import NIOCore
internal import Synchronization

/// The latest report, which one thread makes and many connections show.
///
/// Everything that a page has to know about is news and has a number: a report, and why there is no newer one.
package final class LiveReport: Sendable {
  private let state = Mutex(State())
  /// A random text. Numbers of an earlier server mean nothing to this one.
  private let instance: String
  private let version: String
  private let onQuestion: @Sendable () -> Void

  private struct State {
    var number = 0
    var reportNumber = 0
    var report: Report?
    var problem: String?
    var waiting: [Int: @Sendable () -> Void] = [:]
    var nextWaiting = 0
    var lastQuestion: ContinuousClock.Instant?
  }

  struct Report: Sendable {
    let page: ByteBuffer
    let data: ByteBuffer
  }

  /// The state of the report at one time.
  struct News: Sendable {
    let number: String
    /// The number of the report; empty without one.
    let reportNumber: String
    let version: String
    let report: Report?
    let problem: String?
  }

  /// - Parameters:
  ///   - version: a text that differs for pages with other code.
  ///   - onQuestion: called on the server's thread when a client with the token asks for something.
  package init(version: String, onQuestion: @escaping @Sendable () -> Void) {
    (self.version, self.onQuestion) = (version, onQuestion)
    instance = AccessToken().text
  }

  // MARK: The maker's side

  /// How long after its last question a client counts as watching. It asks again as soon as it has shown an answer.
  private static let attention = Duration.seconds(3)

  /// Whether anybody watches.
  package var isWatched: Bool {
    state.withLock { state in
      guard state.waiting.isEmpty, let last = state.lastQuestion else { return !state.waiting.isEmpty }
      return last.duration(to: .now) < Self.attention
    }
  }

  /// Publishes a report.
  package func publish(page: [UInt8], data: [UInt8]) {
    let report = Report(page: ByteBuffer(bytes: page), data: ByteBuffer(bytes: data))
    announce { state in
      state.reportNumber = state.number + 1
      (state.report, state.problem) = (report, nil)
      return true
    }
  }

  /// Publishes why there is no newer report. The last one stays.
  package func publish(problem: String) {
    announce { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
  }

  private func announce(_ change: (inout State) -> Bool) {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      guard change(&state) else { return [] }
      state.number += 1
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for wake in waiting { wake() }
  }

  // MARK: The clients' side

  /// Notes that a client asked for something.
  func noteQuestion() {
    state.withLock { $0.lastQuestion = .now }
    onQuestion()
  }

  var news: News {
    state.withLock { state in
      News(
        number: "\(instance)-\(state.number)", reportNumber: state.report == nil ? "" : "\(instance)-\(state.reportNumber)",
        version: version, report: state.report, problem: state.problem)
    }
  }

  /// Waits for news.
  ///
  /// - Parameters:
  ///   - number: the number of the last news that the client knows; `nil` waits only for the first news.
  ///   - wake: called once, on the maker's thread, when there is news.
  /// - Returns: an identifier for `cancel`; `nil` if there is news already, and `wake` is not called.
  func wait(after number: String?, _ wake: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      let isKnown = state.number == 0 || number == "\(instance)-\(state.number)"
      guard isKnown else { return nil }
      state.nextWaiting += 1
      state.waiting[state.nextWaiting] = wake
      return state.nextWaiting
    }
  }

  func cancel(_ waiting: Int) { state.withLock { _ = $0.waiting.removeValue(forKey: waiting) } }
}
