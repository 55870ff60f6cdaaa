import Dispatch
import Foundation

/// What the system asks the daemon for.
enum Signals {
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// - Parameter body: called once, on a queue of its own.
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
