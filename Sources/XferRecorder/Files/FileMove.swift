internal import Foundation
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Taking a downloaded file over, and saying so.
enum FileMove {
  case move, copy

  /// - Parameter recording: `nil` for a file of nobody's.
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

  /// The number that lies beneath Foundation's error; EIO where none does.
  static func osError(of error: any Error) -> Int {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return error.code }
    if let beneath = error.userInfo[NSUnderlyingErrorKey] as? NSError, beneath !== error { return osError(of: beneath) }
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
