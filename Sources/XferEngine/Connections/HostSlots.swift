internal import XferEvents

/// The connection slots per host and in total, with a queue of waiting items ordered by priority and then by arrival.
///
/// One point of priority (0 to 100) counts as much as arriving 64 places earlier. Urgent items therefore pass any realistic
/// queue, while the number of later items that can overtake an item stays bounded, so that no item starves.
struct HostSlots<Item: Hashable & Sendable> {
  typealias Host = URLFacts.Origin

  let perHost: Int
  let total: Int
  private var used = 0
  private var hosts: [Host: Queue] = [:]
  private var ticket: Int64 = 0
  /// The rank of the last item that was queued ahead of the others (`first`). Lower than every rank that results from a
  /// priority.
  private var earlyRank = Int64.min

  private struct Entry {
    let ticket: Int64
    /// The position in the queue; the lowest rank is admitted next.
    let rank: Int64
    let item: Item
  }

  private struct Queue {
    var used = 0
    /// Whether the host's connections carry several requests at a time.
    var isMultiplexed = false
    /// The waiting items in the order of their ranks.
    var waiting: [Entry] = []
    /// The index of the first waiting entry. Earlier entries were admitted and are removed in batches.
    var head = 0

    var first: Entry? { head < waiting.count ? waiting[head] : nil }

    /// Inserts an entry after those of the same rank.
    mutating func insert(_ entry: Entry) {
      var (low, high) = (head, waiting.count)
      // Most new entries have the highest rank so far, and are appended.
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

  /// The assumed number of concurrent streams per connection: the minimum that RFC 9113 §6.5.2 recommends.
  private static var streams: Int { 100 }

  private func slots(of queue: Queue) -> Int { queue.isMultiplexed ? max(perHost, Self.streams) : perHost }

  /// Notes that connections to the host are multiplexed. Call `admit` afterwards, because more slots are free now.
  mutating func noteMultiplexed(_ host: Host) { hosts[host]?.isMultiplexed = true }

  enum Admission: Equatable {
    case admitted
    case waits(HoldReason, used: Int, slots: Int)
  }

  /// Takes a slot for an item or appends the item to the queue.
  ///
  /// - Parameters:
  ///   - first: whether the item goes ahead of the queue, because it already had a slot before.
  ///   - priority: the priority from 0 to 100.
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

  /// Changes the priority of a waiting item and moves the item in the queue accordingly. Does nothing if the item does not wait,
  /// or if it was queued ahead of the others (`first`).
  mutating func prioritise(_ item: Item, at host: Host, priority: Int) {
    guard var queue = hosts[host], let place = queue.waiting[queue.head...].firstIndex(where: { $0.item == item }),
      queue.waiting[place].rank > earlyRank
    else { return }
    let ticket = queue.waiting.remove(at: place).ticket
    queue.insert(Entry(ticket: ticket, rank: Self.rank(ticket, priority), item: item))
    hosts[host] = queue
  }

  /// Releases a slot. Call `admit` afterwards for waiting items.
  mutating func release(_ host: Host) {
    hosts[host]?.used -= 1
    used -= 1
    precondition(used >= 0, "a slot was released twice")
  }

  /// Removes an item from the queue. Does nothing when the item does not wait.
  mutating func withdraw(_ item: Item, from host: Host) {
    guard var queue = hosts[host], let place = queue.waiting[queue.head...].firstIndex(where: { $0.item == item }) else { return }
    queue.waiting.remove(at: place)
    hosts[host] = queue
  }

  /// Takes a slot for the next waiting item and returns that item. `nil` when no item can be admitted.
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

  /// Removes unused hosts, so that the table does not grow with every host that was ever contacted.
  mutating func forgetIdleHosts() {
    guard hosts.count > 256 else { return }
    hosts = hosts.filter { $0.value.used > 0 || $0.value.first != nil }
  }
}
