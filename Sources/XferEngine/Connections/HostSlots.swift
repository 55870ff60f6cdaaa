internal import XferEvents

/// Who may use a connection now, and who waits for what, by host and over all: the higher priority first, and among equals who came first.
///
/// A hundredth of priority is worth as much as having come 64 places earlier. So what is urgent passes any queue that there is in practice,
/// and nobody waits for ever: how many may overtake is bounded.
struct HostSlots<Item: Hashable & Sendable> {
  typealias Host = URLFacts.Origin

  let perHost: Int
  let total: Int
  private var used = 0
  private var hosts: [Host: Queue] = [:]
  private var ticket: Int64 = 0
  /// Ranks of those that go first are below all others.
  private var earlyRank = Int64.min

  private struct Entry {
    let ticket: Int64
    /// The lowest goes next.
    let rank: Int64
    let item: Item
  }

  private struct Queue {
    var used = 0
    /// Whether its connections carry many requests at a time.
    var isMultiplexed = false
    /// In the order of their ranks.
    var waiting: [Entry] = []
    /// Entries before it are gone; removing them one by one would move all others each time.
    var head = 0

    var first: Entry? { head < waiting.count ? waiting[head] : nil }

    /// Behind those of the same rank.
    mutating func insert(_ entry: Entry) {
      var (low, high) = (head, waiting.count)
      // Who comes last mostly goes last.
      if high == low || waiting[high - 1].rank <= entry.rank { return waiting.append(entry) }
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle].rank <= entry.rank { low = middle + 1 } else { high = middle }
      }
      waiting.insert(entry, at: low)
    }

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

  /// - Parameters:
  ///   - first: before those that wait, for a task that was on its way already.
  ///   - priority: 0 to 100.
  mutating func request(_ item: Item, at host: Host, first: Bool = false, priority: Int = 50) -> Admission {
    var queue = hosts[host] ?? Queue()
    defer { hosts[host] = queue }
    if queue.used < slots(of: queue), used < total, first || queue.first == nil {
      queue.used += 1
      used += 1
      return .admitted
    }
    ticket += 1
    if first { earlyRank += 1 }
    queue.insert(Entry(ticket: ticket, rank: first ? earlyRank : Self.rank(ticket, priority), item: item))
    return queue.used >= slots(of: queue)
      ? .waits(.hostSlots, used: queue.used, slots: slots(of: queue)) : .waits(.sessionSlots, used: used, slots: total)
  }

  private static func rank(_ ticket: Int64, _ priority: Int) -> Int64 { ticket - Int64(priority) * 64 }

  /// Gives one that waits another place, as if it had come with this priority; nothing when it does not wait, or goes first anyway.
  mutating func prioritise(_ item: Item, at host: Host, priority: Int) {
    guard var queue = hosts[host], let place = queue.waiting[queue.head...].firstIndex(where: { $0.item == item }),
      queue.waiting[place].rank > earlyRank
    else { return }
    let ticket = queue.waiting.remove(at: place).ticket
    queue.insert(Entry(ticket: ticket, rank: Self.rank(ticket, priority), item: item))
    hosts[host] = queue
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
    var best: (host: Host, rank: Int64, ticket: Int64)?
    for (host, queue) in hosts {
      guard queue.used < slots(of: queue), let first = queue.first else { continue }
      if best == nil || (first.rank, first.ticket) < (best!.rank, best!.ticket) { best = (host, first.rank, first.ticket) }
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
