import Dispatch
import Foundation

/// Handles the signals that ask the daemon to terminate.
enum Signals {
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Calls a closure on SIGTERM or SIGINT.
  ///
  /// - Parameter body: The closure, which runs on a separate queue.
  static func onTermination(_ body: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "xferd.signals")
    for number in [SIGTERM, SIGINT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: body)
      source.activate()
      sources.append(source)
    }
  }
}
