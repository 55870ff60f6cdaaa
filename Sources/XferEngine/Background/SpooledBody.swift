#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A body that waits for the app in a file of the daemon's.
enum SpooledBody {
  /// - Returns: nothing when the file is gone.
  static func contents(_ path: String) -> Data { (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data() }
}
