internal import XferEvents

/// Who may use a connection now, and who waits for what: first come, first served, by host and over all.
struct HostSlots<Item: Hashable & Sendable> {
  typealias Host = URLFacts.Origin

  let perHost: Int
  let total: Int
  private var used = 0
  private var hosts: [Host: Queue] = [:]
  private var ticket: Int64 = 0
  /// Tickets of those that go first are below all others.
  private var earlyTicket = Int64.min

  private struct Queue {
    var used = 0
    /// Whether its connections carry many requests at a time.
    var isMultiplexed = false
    var waiting: [(ticket: Int64, item: Item)] = []
    /// Entries before it are gone; removing them one by one would move all others each time.
    var head = 0

    var first: (ticket: Int64, item: Item)? { head < waiting.count ? waiting[head] : nil }

    mutating func removeFirst() -> Item {
      let item = waiting[head].item
      head += 1
      if head > 64, head * 2 > waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
      return item
    }
  }

  init(perHost: Int, total: Int) {
    self.perHost = perHost
    self.total = total
  }

  /// Streams that a server takes on one connection: what RFC 9113 §6.5.2 wants as the least.
  private static var streams: Int { 100 }

  private func slots(of queue: Queue) -> Int { queue.isMultiplexed ? max(perHost, Self.streams) : perHost }

  /// Connections to the host turn out to carry many requests at a time: call `admit` for those that wait.
  mutating func noteMultiplexed(_ host: Host) { hosts[host]?.isMultiplexed = true }

  enum Admission: Equatable {
    case admitted
    case waits(HoldReason, used: Int, slots: Int)
  }

  /// - Parameter first: before those that wait, for a task that was on its way already.
  mutating func request(_ item: Item, at host: Host, first: Bool = false) -> Admission {
    var queue = hosts[host] ?? Queue()
    defer { hosts[host] = queue }
    if queue.used < slots(of: queue), used < total, first || queue.first == nil {
      queue.used += 1
      used += 1
      return .admitted
    }
    if first {
      earlyTicket += 1
      let place = queue.waiting[queue.head...].firstIndex { $0.ticket > 0 } ?? queue.waiting.endIndex
      queue.waiting.insert((earlyTicket, item), at: place)
    } else {
      ticket += 1
      queue.waiting.append((ticket, item))
    }
    return queue.used >= slots(of: queue)
      ? .waits(.hostSlots, used: queue.used, slots: slots(of: queue)) : .waits(.sessionSlots, used: used, slots: total)
  }

  /// Gives a slot back; call `admit` for those that may have it.
  mutating func release(_ host: Host) {
    hosts[host]?.used -= 1
    used -= 1
    precondition(used >= 0, "a slot is given back once")
  }

  /// No longer wants a slot; nothing when it does not wait.
  mutating func withdraw(_ item: Item, from host: Host) {
    guard var queue = hosts[host], let place = queue.waiting[queue.head...].firstIndex(where: { $0.item == item }) else { return }
    queue.waiting.remove(at: place)
    hosts[host] = queue
  }

  /// Takes the next one that waits, if there is a slot for it.
  mutating func admit() -> Item? {
    guard used < total else { return nil }
    var best: (host: Host, ticket: Int64)?
    for (host, queue) in hosts {
      guard queue.used < slots(of: queue), let first = queue.first else { continue }
      if best == nil || first.ticket < best!.ticket { best = (host, first.ticket) }
    }
    guard let best, var queue = hosts[best.host] else { return nil }
    let item = queue.removeFirst()
    queue.used += 1
    used += 1
    hosts[best.host] = queue
    return item
  }

  /// Drops what is known of hosts that nobody uses, so that many hosts do not pile up.
  mutating func forgetIdleHosts() {
    guard hosts.count > 256 else { return }
    hosts = hosts.filter { $0.value.used > 0 || $0.value.first != nil }
  }
}
