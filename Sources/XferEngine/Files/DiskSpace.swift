internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Samples of the free disk space. Taken when a file operation has failed, so that the log shows whether the disk was full.
enum DiskSpace {
  static let noSpace = Int(ENOSPC)

  /// Samples the file system of a path.
  ///
  /// - Parameter path: The path of a file or directory, which need not exist. A missing path is replaced by its closest
  ///   existing parent.
  static func sample(at path: String) -> DiskSpaceSampled {
    var status = statvfs()
    var place = path
    while statvfs(place, &status) != 0, place.contains("/"), place.count > 1 {
      place = place.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      if place.isEmpty { place = "/" }
    }
    let unit = UInt64(status.f_frsize)
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: unit)
    // File systems that allocate inodes on demand report a total of 0. They have no limit, so no number is logged.
    let hasInodes = status.f_files > 0
    return DiskSpaceSampled(
      free: Int64(clamping: free.partialValue), openFiles: openFiles,
      freeFiles: hasInodes ? Int64(clamping: status.f_favail) : nil)
  }

  /// The number of open descriptors of the process. `nil` if the system does not provide it.
  static var openFiles: Int64? {
    for directory in ["/proc/self/fd", "/dev/fd"] {
      if let names = try? FileManager.default.contentsOfDirectory(atPath: directory) { return Int64(names.count) }
    }
    return nil
  }
}
