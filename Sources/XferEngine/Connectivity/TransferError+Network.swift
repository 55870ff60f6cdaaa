#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferError {
  static var networkUnreachable: Int32 { ENETUNREACH }

  /// The kernel's error numbers for a missing route or network.
  static let unreachable: Set<Int> = [
    Int(ENETDOWN), Int(ENETUNREACH), Int(EHOSTDOWN), Int(EHOSTUNREACH), Int(EADDRNOTAVAIL),
  ]
}
