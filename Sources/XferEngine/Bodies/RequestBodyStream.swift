#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request's body that is made while it is sent.
///
/// It is read once, from its beginning, and no faster than the server takes it.
public struct RequestBodyStream: Sendable {
  /// Bytes in all; `nil` when that is not known beforehand: then the body is sent in chunks.
  public let length: Int64?
  let run: @Sendable (BodyPipe) async throws -> Void

  /// - Parameter parts: any sizes, empty ones too; an error that it throws fails the task.
  public init<Parts: AsyncSequence & Sendable>(_ parts: Parts, length: Int64? = nil) where Parts.Element == Data {
    self.length = length
    run = { pipe in
      for try await part in parts where !part.isEmpty { try await pipe.write(part) }
    }
  }
}
