import Foundation

enum PeakMemory {
  /// The maximum resident memory of this process so far, in bytes.
  static var bytes: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss << 10
    #endif
  }
}
