import HTTPTypes
import XferEngine
import XferEvents

/// One transfer with all its parameters, determined before any transfer starts.
struct PlannedTransfer {
  let settings: TransferSettings
  /// The index of the group of options that the transfer belongs to.
  let group: Int
  /// The URL with its scheme but without user and password.
  let url: String
  let method: HTTPRequest.Method
  /// The header fields without credentials.
  let fields: HTTPFields
  let body: Body
  let destination: Destination
  let credential: TransferSession.Credential?
  var checksum: Checksum?
  var condition: TimeCondition?
  /// Whether the transfer resumes a partial download of an earlier command.
  var resumes = false
  /// Whether binary data may be written to a terminal, because the user named standard output.
  var writesBinary = false
  /// The byte offset in the resource at which the transfer starts, as given by the user. `nil` means the beginning.
  var offset: Int64?

  enum Body: Equatable {
    case none
    case bytes([UInt8])
    /// - Parameter inChunks: Whether the body is sent in chunks, without announcing its size.
    case file(String, inChunks: Bool)
    /// - Parameter length: The number of bytes to send. `nil` means unknown.
    case standardInput(length: Int64?)
  }

  enum Destination: Hashable {
    case standardOutput
    case file(String)
    /// A file named by the server, in this directory ("" for the current one). If the server sends no name, the name
    /// `otherwise`, which comes from the URL, is used.
    case serverNamed(directory: String, otherwise: String)
    /// The body is discarded.
    case nowhere
  }

  /// Whether the request has a condition, so that the server may answer that the resource has not changed.
  var isConditional: Bool { condition != nil || fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) }

  /// The transfer's name in messages.
  var name: String {
    switch destination {
    case .file(let path), .serverNamed(_, let path): path.fileName ?? "/"
    case .standardOutput, .nowhere: ShownURL.text(url)
    }
  }
}
