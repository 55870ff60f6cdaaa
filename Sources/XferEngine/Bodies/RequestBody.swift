#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The body of a request.
enum RequestBody: Sendable, Equatable {
  case none
  case data(Data)
  case file(SourceFile)
  /// A stream. The app provides a new one for each request.
  case stream
}
