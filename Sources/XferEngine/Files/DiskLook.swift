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

/// A look at the disk when it has refused something: whether it is the disk that is full.
enum DiskLook {
  static let noSpace = Int(ENOSPC)

  /// - Parameter path: of a file or directory there, or of one that could not be made.
  static func look(at path: String) -> DiskSpaceSampled {
    var status = statvfs()
    var place = path
    while statvfs(place, &status) != 0, place.contains("/"), place.count > 1 {
      place = place.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      if place.isEmpty { place = "/" }
    }
    let unit = UInt64(status.f_frsize)
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: unit)
    // File systems that make inodes as they are needed say that they have none at all.
    let hasInodes = status.f_files > 0
    return DiskSpaceSampled(
      free: Int64(clamping: free.partialValue), openFiles: openFiles,
      freeFiles: hasInodes ? Int64(clamping: status.f_favail) : nil)
  }

  /// Descriptors that the process has open; `nil` where nobody can tell.
  private static var openFiles: Int64? {
    for directory in ["/proc/self/fd", "/dev/fd"] {
      if let names = try? FileManager.default.contentsOfDirectory(atPath: directory) { return Int64(names.count) }
    }
    return nil
  }
}
