import HTTPTypes
import XferEngine

/// One transfer, decided before the first byte.
struct PlannedTransfer {
  let settings: TransferSettings
  /// Which part of the command line it comes from.
  let group: Int
  /// With its scheme, without user and password.
  let url: String
  let method: HTTPRequest.Method
  /// Without what says who asks.
  let fields: HTTPFields
  let body: Body
  let destination: Destination
  let credential: TransferSession.Credential?
  var checksum: Checksum?
  var condition: TimeCondition?
  /// Whether it goes on with what an earlier command left.
  var resumes = false
  /// Where in the resource it begins, because somebody said so; `nil` for the beginning.
  var offset: Int64?

  enum Body: Equatable {
    case none
    case bytes([UInt8])
    /// - Parameter inChunks: whether its size is not said beforehand.
    case file(String, inChunks: Bool)
    /// - Parameter length: `nil` when it is not known.
    case standardInput(length: Int64?)
  }

  enum Destination: Hashable {
    case standardOutput
    case file(String)
    /// Named by the server, and below this directory, "" for the current one; a server that says nothing leaves the URL's name.
    case serverNamed(directory: String, otherwise: String)
    /// Nobody wants it.
    case nowhere
  }

  /// Whether the server may answer that the resource has not changed.
  var isConditional: Bool { condition != nil || fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) }

  /// What remarks call it.
  var name: String {
    switch destination {
    case .file(let path), .serverNamed(_, let path): String(path.split(separator: "/").last ?? "/")
    case .standardOutput, .nowhere: ShownURL.text(url)
    }
  }
}
