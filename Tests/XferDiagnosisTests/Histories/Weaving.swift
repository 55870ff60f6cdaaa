import XferEvents

/// Two logs of one machine, as a reader that merges them by the clock gives them.
enum Weaving {
  static func woven(_ first: [LogMember], _ second: [LogMember]) -> [LogMember] {
    var woven: [LogMember] = []
    var rest = second[...]
    for member in first {
      // What comes at the same instant stays behind: each log keeps its order.
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
