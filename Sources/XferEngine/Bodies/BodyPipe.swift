internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A bounded buffer that passes the chunks of a request body stream to the engine's thread. Pauses the stream while the buffer
/// is full.
final class BodyPipe: Sendable {
  let length: Int64?
  /// A closure that is called when bytes become available after a read that returned `notYet`.
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    var pending = Data()
    var writer: CheckedContinuation<Void, Never>?
    var isReaderWaiting = false
    var end: End?
    var pump: Task<Void, Never>?
    /// The number of bytes that the stream has produced.
    var written: Int64 = 0
  }

  private enum End {
    case finished
    case failed(String)
    /// The engine has stopped reading.
    case closed
  }

  /// The number of buffered bytes at which the stream is paused. One chunk may exceed it.
  private static let limit = 256 * 1024

  init(length: Int64?, wake: @escaping @Sendable () -> Void) {
    self.length = length
    self.wake = wake
  }

  /// Starts reading the stream, until its end or until `close` is called.
  func start(_ stream: RequestBodyStream) {
    let pump = Task {
      do {
        try await stream.run(self)
        end(.finished)
      } catch {
        end(.failed("\(error)"))
      }
    }
    state.withLock { $0.pump = pump }
  }

  private func end(_ end: End) {
    let (mustWake, writer, pump) = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { (state.isReaderWaiting, state.writer) = (false, nil) }
      return (state.isReaderWaiting, state.writer, state.pump)
    }
    if mustWake { wake() }
    writer?.resume()
    if case .closed = end { pump?.cancel() }
  }

  func close() { end(.closed) }

  // MARK: Writing

  /// Appends a chunk, and waits while the buffer is full.
  ///
  /// - Throws: `CancellationError` when the engine has stopped reading.
  func write(_ part: Data) async throws {
    await withCheckedContinuation { continuation in
      let (mustWait, mustWake) = state.withLock { state -> (Bool, Bool) in
        guard state.end == nil else { return (false, false) }
        state.pending.append(part)
        state.written += Int64(part.count)
        let mustWait = state.pending.count >= Self.limit
        if mustWait { state.writer = continuation }
        defer { state.isReaderWaiting = false }
        return (mustWait, state.isReaderWaiting)
      }
      if mustWake { wake() }
      if !mustWait { continuation.resume() }
    }
    if state.withLock({ if case .closed = $0.end { true } else { false } }) { throw CancellationError() }
  }

  // MARK: Reading

  func read(into room: UnsafeMutableRawBufferPointer) -> BodySource.Reading {
    let (reading, writer) = state.withLock { state -> (BodySource.Reading, CheckedContinuation<Void, Never>?) in
      if let length, state.written > length {
        return (.failed(.badStream("the body stream produced more than the declared length of \(length) bytes")), nil)
      }
      guard state.pending.isEmpty else {
        let count = state.pending.copyBytes(to: room)
        state.pending = Data(state.pending.dropFirst(count))
        guard state.pending.count < Self.limit / 2 else { return (.bytes(count), nil) }
        defer { state.writer = nil }
        return (.bytes(count), state.writer)
      }
      switch state.end {
      case nil:
        state.isReaderWaiting = true
        return (.notYet, nil)
      case .finished: return (ending(after: state.written), nil)
      case .failed(let problem): return (.failed(.badStream("the body stream failed: \(problem)")), nil)
      case .closed: return (.failed(.badStream("the body stream was closed before its end")), nil)
      }
    }
    writer?.resume()
    return reading
  }

  private func ending(after written: Int64) -> BodySource.Reading {
    guard let length, written != length else { return .bytes(0) }
    return .failed(.badStream("the body stream ended after \(written) of \(length) bytes"))
  }
}

extension TransferError {
  fileprivate static func badStream(_ problem: String) -> TransferError {
    TransferError(.cannotReadBody, number: 26, stage: .request, problem: problem)
  }
}
