#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferError {
  static var networkUnreachable: Int32 { ENETUNREACH }

  /// What the kernel says when no packet finds its way.
  static let unreachable: Set<Int> = [
    Int(ENETDOWN), Int(ENETUNREACH), Int(EHOSTDOWN), Int(EHOSTUNREACH), Int(EADDRNOTAVAIL),
  ]
}
