import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// One process life of a device's app, which writes to the device's log.
final class Launch: Sendable {
  private let log: EventLog
  private let clock: DeviceClock

  /// - Parameters:
  ///   - number: 0 for the first life of the app on the device, 1 for the next one.
  ///   - words: random numbers for the identifiers of the launch and of its segments.
  init(directory: String, number: Int32, device: Device, clock: DeviceClock, words: SeededRandom) throws {
    self.clock = clock
    let random = Mutex(words)
    var configuration = LogConfiguration(
      role: .app, privacy: PrivacyPolicy(key: (1, 2)),
      // The system gives no process such a number, so that the killed app is not taken for a running process.
      process: ProcessIdentity(
        pid: 0x3FFF_FF00 + number, start: 1, namespace: ProcessIdentity.current().namespace, boot: device.boot, executable: "maps"
      ),
      startReason: .user, version: device.version, clock: clock.logClock, random: { random.withLock { $0.next() } },
      retention: .everything, maintains: false)
    configuration.osVersion = device.system
    log = try EventLog(directory: directory, configuration: configuration)
  }

  func emit(_ event: some TransferEvent) {
    clock.tick()
    log.emit(event)
  }

  func close() { log.close() }
}

/// The clocks of a device, which advance with each of its events.
final class DeviceClock: Sendable {
  private let state: Mutex<(now: Int64, random: SeededRandom)>
  private let offset: Int64

  /// - Parameter offset: the difference of the wall clock to the monotonic clock in nanoseconds.
  init(start: Int64, offset: Int64, random: SeededRandom) {
    state = Mutex((start, random))
    self.offset = offset
  }

  /// Advances by the time between two events of a download: 20 to 400 µs.
  func tick() { state.withLock { $0.now += Int64.random(in: 20_000..<400_000, using: &$0.random) } }

  func advance(bySeconds seconds: Int64) { state.withLock { $0.now += seconds * 1_000_000_000 } }

  var logClock: LogClock {
    let now: @Sendable () -> Int64 = { [self] in state.withLock { $0.now } }
    return LogClock(monotonic: now, boottime: now, wall: { [offset] in now() + offset })
  }
}
