import Foundation
import Synchronization

/// A thread-safe value that one callback sets for another.
final class SharedValue<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  var value: Value? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// Files that are removed at the end of the test that created them.
final class LeftOverFiles: Sendable {
  private let files = Mutex<[URL]>([])

  func add(_ file: URL) { files.withLock { $0.append(file) } }

  deinit { for file in files.withLock({ $0 }) { try? FileManager.default.removeItem(at: file) } }
}
