internal import Foundation

/// Executes the blocks of the main queue on the main thread.
///
/// `dispatchMain` cannot be used: on Linux it moves the main queue to another thread.
enum MainLoop {
  static func run() -> Never {
    while true { RunLoop.main.run() }
  }
}
