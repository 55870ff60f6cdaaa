internal import Foundation
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An operation by which the app claims a downloaded file and which is recorded.
enum FileMove {
  case move, copy

  /// Moves or copies a file and records the result.
  ///
  /// - Parameter recording: The recording of the task. `nil` when the task is not recorded.
  func perform(from source: URL, to destination: URL, of recording: TaskRecording?) throws {
    do {
      switch self {
      case .move: try FileManager.default.moveItem(at: source, to: destination)
      case .copy: try FileManager.default.copyItem(at: source, to: destination)
      }
    } catch {
      recording?.claimed(operation, destination.path, result: Self.osError(of: error))
      throw error
    }
    recording?.claimed(operation, destination.path, result: 0)
  }

  private var operation: ClaimOperation { self == .move ? .move : .copy }

  /// Returns the errno value that corresponds to a Foundation error, or EIO when there is none.
  static func osError(of error: any Error) -> Int {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return error.code }
    if let beneath = error.userInfo[NSUnderlyingErrorKey] as? NSError, beneath !== error { return osError(of: beneath) }
    guard error.domain == NSCocoaErrorDomain else { return Int(EIO) }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: return Int(ENOENT)
    case .fileWriteFileExists: return Int(EEXIST)
    case .fileReadNoPermission, .fileWriteNoPermission: return Int(EACCES)
    case .fileWriteOutOfSpace: return Int(ENOSPC)
    case .fileWriteVolumeReadOnly: return Int(EROFS)
    default: return Int(EIO)
    }
  }
}
