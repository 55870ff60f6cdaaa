internal import Foundation

/// Runs what is put on the main queue on the main thread. `dispatchMain` does not: on Linux it hands the queue to another thread.
enum MainLoop {
  static func run() -> Never {
    while true { RunLoop.main.run() }
  }
}
