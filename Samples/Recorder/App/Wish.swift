import XferEngine
import XferEvents

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A transfer requested by the app, with the app's treatment of the result. The app's defects are set here.
struct Wish: Sendable {
  /// The app's key for the transfer, which is also the file's name.
  let key: String
  /// The path on the server.
  let path: String
  var type = Kind.download
  var file = FileHandling.move
  var judgement = Judgement.errorAndStatus
  var progress = Progress.none
  /// The resume data for a resumed download.
  var resumeData: Data?

  enum Kind: Sendable {
    case data, download
    /// An upload of the given number of bytes.
    case upload(Int)
  }

  /// The app's treatment of a downloaded file.
  enum FileHandling: Sendable {
    /// Moves the file during the callback, which is correct.
    case move
    /// Moves the file with `try!`, which crashes if the destination exists.
    case moveByForce
    /// Stores only the path of the file, to read it later.
    case rememberAddress
    /// Keeps the file object, and moves the file after the task is complete.
    case moveLater
  }

  /// The condition under which the app considers a transfer successful.
  enum Judgement: Sendable {
    /// Succeeds without an error and with a status below 400.
    case errorAndStatus
    /// Succeeds without an error, regardless of the status.
    case errorAlone
    /// Succeeds if any bytes were received.
    case arrival
  }

  /// The progress that the app displays.
  enum Progress: Sendable {
    case none
    /// The received bytes divided by the expected bytes.
    case ratio
    /// The progress object of the task.
    case ofTask
  }

  init(_ key: String, at path: String) { (self.key, self.path) = (key, path) }

  func with(_ change: (inout Wish) -> Void) -> Wish {
    var wish = self
    change(&wish)
    return wish
  }

  /// - Parameters:
  ///   - status: The response's status, or 0 without a response.
  ///   - received: The number of received body bytes.
  func outcome(error: TransferError?, status: Int, received: Int64) -> Outcome {
    if error?.code == .cancelled { return .cancelled }
    let succeeded =
      switch judgement {
      case .errorAndStatus: error == nil && status < 400
      case .errorAlone: error == nil
      case .arrival: received > 0
      }
    return succeeded ? .success : .failure
  }
}
