import Synchronization

/// Limits how many benches exist at a time, because each has about a dozen descriptors and all tests run concurrently.
///
/// Without a limit, the process has over 5,000 descriptors. `Foundation.Process` lists them when it starts a program, and copies 256 bytes
/// of each entry, however short its name is. From about 1,350 descriptors on, these bytes reach beyond the memory of the listing, and can
/// end the process with a segmentation fault.
final class BenchPermits: Sendable {
  static let shared = BenchPermits(48)

  /// The number of descriptors at which an entry of their listing ends less than 256 bytes before the listing's memory, which has 32 KiB
  /// for entries of 24 bytes.
  static let descriptorLimit = 1350

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>
  /// Whether the current task already has a permit, so that a bench inside a bench does not wait for one.
  @TaskLocal private static var hasPermit = false

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func run(_ body: () async throws -> Void) async throws {
    if Self.hasPermit { return try await body() }
    await acquire()
    defer { release() }
    try await Self.$hasPermit.withValue(true, operation: body)
  }

  private func acquire() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
