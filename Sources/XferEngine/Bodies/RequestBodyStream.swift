#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request body that is produced while it is sent.
///
/// The stream is read once, and no faster than the server receives it.
public struct RequestBodyStream: Sendable {
  /// The length of the body, in bytes. `nil` if unknown: the body is then sent with chunked transfer coding.
  public let length: Int64?
  let run: @Sendable (BodyPipe) async throws -> Void

  /// - Parameters:
  ///   - parts: The chunks of the body, of any size, including empty ones. If the sequence throws an error, the task fails.
  ///   - length: The length of the body, in bytes. `nil` if unknown.
  public init<Parts: AsyncSequence & Sendable>(_ parts: Parts, length: Int64? = nil) where Parts.Element == Data {
    self.length = length
    run = { pipe in
      for try await part in parts where !part.isEmpty { try await pipe.write(part) }
    }
  }
}
