import XferEvents

/// The merging of two logs of the same machine by time, as a reader does it.
enum Weaving {
  static func woven(_ first: [LogMember], _ second: [LogMember]) -> [LogMember] {
    var woven: [LogMember] = []
    var rest = second[...]
    for member in first {
      // At equal times, the second log's event comes later. Each log keeps its own order.
      while let other = rest.first, time(of: other) < time(of: member) { woven.append(rest.removeFirst()) }
      woven.append(member)
    }
    return woven + rest
  }

  private static func time(of member: LogMember) -> Int64 {
    switch member {
    case .event(let event): event.monotonic ?? .min
    case .gap(let gap): gap.before?.monotonic ?? gap.after?.monotonic ?? .min
    }
  }
}
