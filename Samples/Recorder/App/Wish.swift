import XferEngine
import XferEvents

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A transfer that the app wants, and what its code makes of the result: here are the defects.
struct Wish: Sendable {
  /// The app's own name for it, and for the file.
  let key: String
  /// On the server.
  let path: String
  var type = Kind.download
  var file = FileHandling.move
  var judgement = Judgement.errorAndStatus
  var progress = Progress.none
  /// What a download is to go on with.
  var resumeData: Data?

  enum Kind: Sendable {
    case data, download
    /// Of so many bytes.
    case upload(Int)
  }

  /// What the app does with the file that a download brings.
  enum FileHandling: Sendable {
    /// Moves it during the callback, as it must be.
    case move
    /// Moves it to where nothing may be yet, with `try!`.
    case moveByForce
    /// Notes where it lies, for later.
    case rememberAddress
    /// Keeps the object, and moves the file when the task is complete.
    case moveLater
  }

  /// What the app takes for a success.
  enum Judgement: Sendable {
    /// No error, and a status below 400.
    case errorAndStatus
    /// No error, whatever the server said.
    case errorAlone
    /// Some bytes have come.
    case arrival
  }

  /// What the app shows while bytes come.
  enum Progress: Sendable {
    case none
    /// What there is, divided by what is expected.
    case ratio
    /// What the task's own progress says.
    case ofTask
  }

  init(_ key: String, at path: String) { (self.key, self.path) = (key, path) }

  func with(_ change: (inout Wish) -> Void) -> Wish {
    var wish = self
    change(&wish)
    return wish
  }

  /// - Parameters:
  ///   - status: 0 when there was no response.
  ///   - received: bytes of the body.
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
