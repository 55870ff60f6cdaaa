package import XferEvents
package import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a command takes from around it, apart from files: variables, the time, and where the user's clock stands.
package struct Surroundings: Sendable {
  package var environment: [String: String]
  package var now: @Sendable () -> WallTime
  package var localZone: ZoneRule

  package init(environment: [String: String], now: @escaping @Sendable () -> WallTime, localZone: ZoneRule) {
    self.environment = environment
    self.now = now
    self.localZone = localZone
  }

  /// Those of this process.
  package static func current() -> Surroundings {
    Surroundings(environment: variables(), now: systemTime, localZone: ZoneRule(systemOffset))
  }

  private static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }

  @Sendable private static func systemTime() -> WallTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return WallTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  @Sendable private static func systemOffset(_ second: Int64) -> Int {
    var (time, parts) = (time_t(second), tm())
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}
