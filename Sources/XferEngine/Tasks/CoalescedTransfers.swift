internal import HTTPTypes
internal import XferEvents

/// The groups of tasks whose identical requests share one transfer.
///
/// An internal carrier task owns the transfer, so that any member of the group can be cancelled without affecting the others.
struct CoalescedTransfers {
  /// The properties in which coalesced requests must be equal.
  struct Key: Hashable {
    private let type: TaskType
    private let method: String
    private let url: String
    private let fields: [String]

    /// Returns `nil` for a task that cannot share its transfer.
    init?(_ task: TransferTask) {
      guard task.options.coalescesIdenticalRequests ?? task.session.context.configuration.coalescesIdenticalRequests else {
        return nil
      }
      switch task.consumer {
      case .data, .file: break
      case .delegate, .bytes, .shared: return nil
      }
      let plan = task.plan
      guard plan.body == .none, task.resumeData == nil, plan.method == .get || plan.method == .head else { return nil }
      (type, method, url) = (task.type, plan.method.rawValue, plan.url.text)
      fields = plan.fields.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
  }

  private struct Group {
    let key: Key
    let carrier: TransferTask
    var members: [TransferTask] = []
    var suspended: Set<UInt32> = []

    var isSuspended: Bool { suspended.count == members.count }
  }

  /// The groups, by the carrier's number.
  private var groups: [UInt32: Group] = [:]
  private var carrierOfKey: [Key: UInt32] = [:]
  private var carrierOfMember: [UInt32: UInt32] = [:]

  func carrier(for key: Key) -> TransferTask? { carrierOfKey[key].flatMap { groups[$0]?.carrier } }

  func isMember(_ task: TransferTask) -> Bool { carrierOfMember[task.identity.number] != nil }

  /// Returns the tasks that share the carrier's transfer, in the order in which they joined.
  func members(of carrier: TransferTask) -> [TransferTask] { groups[carrier.identity.number]?.members ?? [] }

  mutating func open(_ key: Key, carrier: TransferTask) {
    groups[carrier.identity.number] = Group(key: key, carrier: carrier)
    carrierOfKey[key] = carrier.identity.number
  }

  mutating func join(_ task: TransferTask, to carrier: TransferTask) {
    groups[carrier.identity.number]?.members.append(task)
    carrierOfMember[task.identity.number] = carrier.identity.number
  }

  /// The change to apply to the carrier task.
  enum Consequence {
    case resume(TransferTask)
    case suspend(TransferTask)
    case cancel(TransferTask)
    case none
  }

  mutating func setSuspended(_ isSuspended: Bool, _ task: TransferTask) -> Consequence {
    change(of: task) { group in
      if isSuspended {
        group.suspended.insert(task.identity.number)
      } else {
        group.suspended.remove(task.identity.number)
      }
      return group.isSuspended ? .suspend(group.carrier) : .resume(group.carrier)
    }
  }

  /// Removes a task from its group. Removing the last task cancels the carrier.
  mutating func leave(_ task: TransferTask) -> Consequence {
    let consequence = change(of: task) { group in
      group.members.removeAll { $0 === task }
      group.suspended.remove(task.identity.number)
      if group.members.isEmpty { return .cancel(group.carrier) }
      return group.isSuspended ? .suspend(group.carrier) : .none
    }
    carrierOfMember[task.identity.number] = nil
    if case .cancel(let carrier) = consequence { _ = close(carrier) }
    return consequence
  }

  /// Removes a group whose transfer has ended or that has no members left.
  ///
  /// - Returns: The members of the group.
  mutating func close(_ carrier: TransferTask) -> [TransferTask] {
    guard let group = groups.removeValue(forKey: carrier.identity.number) else { return [] }
    carrierOfKey[group.key] = nil
    for member in group.members { carrierOfMember[member.identity.number] = nil }
    return group.members
  }

  private mutating func change(of task: TransferTask, _ change: (inout Group) -> Consequence) -> Consequence {
    guard let number = carrierOfMember[task.identity.number] else { return .none }
    return change(&groups[number]!)
  }
}
