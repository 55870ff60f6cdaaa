import Foundation

/// What is left of a download that was interrupted, beside the file that it was to be: `NAME.xfer` says how to go on.
struct PartialDownload {
  private let path: String

  /// - Parameter destination: where the file was to go.
  init(of destination: String) { path = "\(destination).xfer" }

  /// `nil` when nothing is left.
  var resumeData: Data? { FileKind(path) == .regular ? FileManager.default.contents(atPath: path) : nil }

  func keep(_ resumeData: Data) throws(TransferResult.Problem) {
    let passing = "\(path).new"
    do {
      try resumeData.write(to: URL(fileURLWithPath: passing))
    } catch {
      throw .writing("\(path) cannot be written", EIO)
    }
    guard rename(passing, path) == 0 else { throw .writing("\(path) cannot be written", errno) }
  }

  func remove() { unlink(path) }
}
