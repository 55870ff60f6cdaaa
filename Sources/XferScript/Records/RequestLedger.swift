internal import Synchronization

/// The records of a server's requests, and the callers that wait for a condition on these records.
final class RequestLedger: Sendable {
  private struct Waiter {
    var id: Int
    var holds: @Sendable ([ServedRequest]) -> Bool
    var continuation: CheckedContinuation<Result<[ServedRequest], ScriptError>, Never>
  }

  private struct State {
    var requests: [ServedRequest] = []
    var connections = 0
    var waiters: [Waiter] = []
    var cancelled: Set<Int> = []
    var nextWaiter = 0
    var isStopped = false
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Duration
  private let file: OracleFile?

  init(now: @escaping @Sendable () -> Duration, file: OracleFile?) {
    self.now = now
    self.file = file
  }

  var requests: [ServedRequest] { state.withLock { $0.requests } }

  var connections: Int { state.withLock { $0.connections } }

  func accept() -> Int {
    state.withLock { state in
      state.connections += 1
      return state.connections
    }
  }

  /// Adds a record and returns its sequence number. `head` is `nil` when the request could not be parsed, and `turn` when no
  /// route matches.
  func begin(_ head: RequestHead?, connection: Int, turn: Playback.Turn?) -> Int {
    state.withLock { state in
      let request = ServedRequest(
        sequence: state.requests.count + 1, connection: connection, method: head?.method ?? "", target: head?.target ?? "",
        headers: head?.headers ?? [:], route: turn?.route, turn: turn?.index, received: now())
      state.requests.append(request)
      file?.write(request)
      settle(&state)
      return request.sequence
    }
  }

  /// Changes a record. The closure also receives the current time.
  func update(_ sequence: Int, _ change: (inout ServedRequest, Duration) -> Void) {
    state.withLock { state in
      change(&state.requests[sequence - 1], now())
      settle(&state)
    }
  }

  func end(_ sequence: Int, _ ending: ServedRequest.Ending) {
    update(sequence) { request, time in
      request.phase = .ended
      request.ending = ending
      request.ended = time
      file?.write(request)
    }
  }

  private func settle(_ state: inout State) {
    guard !state.waiters.isEmpty else { return }
    let requests = state.requests
    state.waiters.removeAll { waiter in
      guard waiter.holds(requests) else { return false }
      waiter.continuation.resume(returning: .success(requests))
      return true
    }
  }
}

extension RequestLedger {
  func wait(until holds: @escaping @Sendable ([ServedRequest]) -> Bool) async throws(ScriptError) -> [ServedRequest] {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<[ServedRequest], ScriptError>, Never>) in
        state.withLock { state in
          if holds(state.requests) {
            continuation.resume(returning: .success(state.requests))
          } else if state.cancelled.remove(id) != nil {
            continuation.resume(returning: .failure(Self.cancelled))
          } else if state.isStopped {
            continuation.resume(returning: .failure(Self.stopped))
          } else {
            state.waiters.append(Waiter(id: id, holds: holds, continuation: continuation))
          }
        }
      }
    } onCancel: {
      state.withLock { state in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return
        }
        state.waiters.remove(at: index).continuation.resume(returning: .failure(Self.cancelled))
      }
    }
    return try result.get()
  }

  /// Stops the ledger and fails every pending wait.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for waiter in state.waiters { waiter.continuation.resume(returning: .failure(Self.stopped)) }
      state.waiters = []
    }
  }

  private static let stopped = ScriptError(
    code: .stopped, place: "scripted server", problem: "the server stopped before the awaited condition held",
    advice: "Wait before you stop the server, or compare the condition with `requests`.")

  private static let cancelled = ScriptError(
    code: .cancelled, place: "scripted server", problem: "the waiting task was cancelled before the condition held",
    advice: "Compare the condition with `requests` to see what was missing.")
}
