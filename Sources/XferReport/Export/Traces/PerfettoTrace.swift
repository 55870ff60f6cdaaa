package import XferEvents

/// A log as a trace of Perfetto, in Protocol Buffers: a track for each process and task, with tasks and attempts as slices.
///
/// Numbers of fields are those of perfetto/protos/perfetto/trace.
package struct PerfettoTrace: ExportDocument {
  private var timeline = Timeline()
  private var isBegun = false
  package private(set) var count = 0
  package let noun = (one: "trace packet", many: "trace packets")

  package init() {}

  package var losses: [String] {
    let cut = timeline.tracker.cutTasks
    return cut == 0 ? [] : ["\(cut) tasks were exported before their end, because too many were open"]
  }

  package mutating func begin(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    if !isBegun {
      isBegun = true
      appendClocks(at: ExportClock.nanoseconds(event.moment), to: &text)
    }
    append(timeline.apply(event, isSelected: isSelected), to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {}

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    append(timeline.finish(), to: &text)
    return false
  }

  private mutating func append(_ items: [Timeline.Item], to text: inout TextBuffer) {
    for item in items {
      switch item {
      case .track(let track): packet(at: nil, to: &text) { $0.append(field: 60, message: Self.descriptor(track)) }
      case .begin(let slice):
        packet(at: slice.start, to: &text) { packet in
          packet.append(field: 11) { event in
            event.append(field: 9, 1)
            event.append(field: 11, Self.uuid(slice.track))
            event.append(field: 22, "\(slice.category)")
            event.append(field: 23, slice.name)
            Self.append(slice.details, to: &event)
          }
        }
      case .end(let slice):
        packet(at: slice.end, to: &text) { packet in
          packet.append(field: 11) { event in
            event.append(field: 9, 2)
            event.append(field: 11, Self.uuid(slice.track))
          }
        }
      case .instant(let instant):
        packet(at: instant.time, to: &text) { packet in
          packet.append(field: 11) { event in
            event.append(field: 9, 3)
            event.append(field: 11, Self.uuid(instant.track))
            event.append(field: 22, instant.category)
            event.append(field: 23, instant.name)
            Self.append(instant.details, to: &event)
          }
        }
      }
    }
  }

  // MARK: Packets

  private mutating func packet(at time: Int64?, to text: inout TextBuffer, _ write: (inout TextBuffer) -> Void) {
    count += 1
    text.append(field: 1) { packet in
      if let time { packet.append(field: 8, UInt64(max(0, time))) }
      packet.append(field: 10, 1)
      write(&packet)
    }
  }

  /// Says that the trace's clock shows the time since 1970, so that viewers can show dates.
  private mutating func appendClocks(at time: Int64, to text: inout TextBuffer) {
    packet(at: time, to: &text) { packet in
      packet.append(field: 6) { snapshot in
        // Realtime, and the clock of timestamps.
        for clock: UInt64 in [1, 6] {
          snapshot.append(field: 1) {
            $0.append(field: 1, clock)
            $0.append(field: 2, UInt64(time))
          }
        }
      }
      // The sequence has no earlier state.
      packet.append(field: 13, 1)
      packet.append(field: 87, 1)
    }
  }

  private static func descriptor(_ track: Timeline.NewTrack) -> (inout TextBuffer) -> Void {
    { descriptor in
      descriptor.append(field: 1, uuid(track.track))
      descriptor.append(field: 2, track.name)
      if let parent = track.parent {
        descriptor.append(field: 5, uuid(parent))
      } else {
        descriptor.append(field: 3) { process in
          process.append(field: 1, UInt64(track.pid))
          process.append(field: 6, track.name)
        }
      }
    }
  }

  private static func append(_ details: [(name: String, value: OTLPAttribute)], to event: inout TextBuffer) {
    for detail in details {
      event.append(field: 4) { annotation in
        annotation.append(field: 10, detail.name)
        switch detail.value {
        case .string(let text): annotation.append(field: 6, text)
        case .integer(let number): annotation.append(field: 4, UInt64(bitPattern: number))
        case .flag(let flag): annotation.append(field: 2, flag ? 1 : 0)
        case .double(let number): annotation.append(field: 6, "\(number)")
        }
      }
    }
  }

  /// The identifier of a track, which is never 0.
  private static func uuid(_ track: Timeline.Track) -> UInt64 {
    switch track {
    case .process(let pid): UInt64(pid)
    case .task(let uid): max(1, uid.low ^ uid.high << 1) | 1 << 63
    case .attempts(let uid): max(1, (uid.low ^ uid.high << 1) &* 0x9E37_79B9_7F4A_7C15) | 1 << 63
    }
  }
}
