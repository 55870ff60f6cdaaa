#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a request carries to the server.
enum RequestBody: Sendable, Equatable {
  case none
  case data(Data)
  case file(SourceFile)
  /// Made while it is sent: the app gives a new one for each request.
  case stream
}
