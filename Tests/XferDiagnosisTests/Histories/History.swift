import XferEvents

/// A generated log, as correct apps, engines and a daemon could have written it.
struct History {
  let seed: UInt64
  var writers: [Writer] = []
  /// The events in the order of a merged log.
  var tellings: [Telling] = []
  var features: Set<Feature> = []
  /// The sleeps of the machine: the start on the monotonic clock, which stops during sleep, and the length, in nanoseconds.
  var sleeps: [(at: Int64, length: Int64)] = []

  /// A process life that writes events.
  struct Writer {
    let context: WriterContext
    var launch: LaunchID { context.launch! }
  }

  /// An event with its writer and time.
  struct Telling {
    var event: any TransferEvent
    var pen: Pen
    /// The monotonic time in nanoseconds.
    var time: Int64
  }

  /// A situation that must occur in a sufficient number of histories, in addition to kinds and orders of events.
  enum Feature: String, CaseIterable, Comparable {
    case kill, relaunch, daemonRestart, twoSessions, twoApps, redelivery, reordering, suspension, wakeWhileSuspended, sleep
    case rotation, resumedRange, retry, handOff, shared, becameDownload, multipart, thirdLife, invalidation, heldWake

    static func < (left: Feature, right: Feature) -> Bool { left.rawValue < right.rawValue }
  }
}

/// A writer and one of its threads.
struct Pen: Hashable {
  let writer: Int
  let lane: UInt32

  func on(_ lane: UInt32) -> Pen { Pen(writer: writer, lane: lane) }
  /// The lanes of a writer's threads: the main thread, the engine's thread, and the thread of the delegate's callbacks.
  static let (main, engine, delegate): (UInt32, UInt32, UInt32) = (1, 2, 3)
}

extension History {
  /// The boot and the start of the clock, equal to those of the rules' examples, so that a history can be merged with an example.
  private static let boot = BootID(high: 0, low: 1)
  private static let began: Int64 = 1_780_000_000_000_000_000

  /// Returns a monotonic time on all three clocks of the machine.
  func moment(_ time: Int64) -> Moment {
    let slept = sleeps.reduce(0) { $1.at <= time ? $0 + $1.length : $0 }
    return Moment(monotonic: time, boottime: time + slept, wall: WallTime(nanoseconds: Self.began + time + slept))
  }

  static func wall(_ time: Int64) -> WallTime { WallTime(nanoseconds: began + time) }

  /// Adds a process life and returns its place.
  mutating func addWriter(_ role: WriterRole, _ executable: String) -> Int {
    let number = UInt64(writers.count + 1)
    writers.append(
      Writer(
        context: WriterContext(
          launch: LaunchID(high: seed << 8 | number, low: number), boot: Self.boot, pid: 5000 + Int(number), role: role,
          executable: executable, captureMode: .full, lowestLevel: .debug)))
    return writers.count - 1
  }

  /// Returns the history as a log reader returns it. Each writer fills one segment after another.
  ///
  /// - Parameter segmentOrder: a closure that returns the number of a segment in the order in which segments were found.
  func members(segmentOrder: (_ segment: Int) -> Int = { $0 }) -> [LogMember] {
    var current = [EventArchive?](repeating: nil, count: writers.count)
    var segments = 0
    return tellings.map { telling in
      let writer = telling.pen.writer
      if current[writer] == nil {
        let number = segmentOrder(segments)
        current[writer] = EventArchive(
          number: UInt32(number + 1), name: "segment \(segments + 1)", writer: writers[writer].context, index: number)
        segments += 1
      }
      let event = Self.record(telling.event, in: current[writer]!, at: moment(telling.time), lane: telling.pen.lane)
      switch event.kind {
      case .logRotated: current[writer] = nil
      default: break
      }
      return .event(event)
    }
  }

  static func record(_ event: some TransferEvent, in archive: EventArchive, at moment: Moment, lane: UInt32)
    -> RecordedEvent
  {
    archive.record(event, at: moment, lane: lane, thread: lane)
  }
}

extension Int64 {
  static func microseconds(_ count: Int) -> Int64 { Int64(count) * 1_000 }
  static func milliseconds(_ count: Int) -> Int64 { Int64(count) * 1_000_000 }
  static func seconds(_ count: Int) -> Int64 { Int64(count) * 1_000_000_000 }
}
