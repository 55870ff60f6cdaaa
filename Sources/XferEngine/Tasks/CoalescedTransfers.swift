internal import HTTPTypes
internal import XferEvents

/// Which tasks share whose transfer. A task of the engine's own, the carrier, has the transfer; so any of the others may leave.
struct CoalescedTransfers {
  /// What makes two requests one.
  struct Key: Hashable {
    private let type: TaskType
    private let method: String
    private let url: String
    private let fields: [String]

    /// `nil` for a task that has its transfer for itself.
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

  private struct Gathering {
    let key: Key
    let carrier: TransferTask
    var members: [TransferTask] = []
    var suspended: Set<UInt32> = []

    var isAtRest: Bool { suspended.count == members.count }
  }

  /// By the carrier's number.
  private var gatherings: [UInt32: Gathering] = [:]
  private var carrierOfKey: [Key: UInt32] = [:]
  private var carrierOfMember: [UInt32: UInt32] = [:]

  func carrier(for key: Key) -> TransferTask? { carrierOfKey[key].flatMap { gatherings[$0]?.carrier } }

  func isMember(_ task: TransferTask) -> Bool { carrierOfMember[task.identity.number] != nil }

  /// In the order in which they came.
  func members(of carrier: TransferTask) -> [TransferTask] { gatherings[carrier.identity.number]?.members ?? [] }

  mutating func open(_ key: Key, carrier: TransferTask) {
    gatherings[carrier.identity.number] = Gathering(key: key, carrier: carrier)
    carrierOfKey[key] = carrier.identity.number
  }

  mutating func join(_ task: TransferTask, to carrier: TransferTask) {
    gatherings[carrier.identity.number]?.members.append(task)
    carrierOfMember[task.identity.number] = carrier.identity.number
  }

  /// What follows for the carrier.
  enum Consequence {
    case resume(TransferTask)
    case suspend(TransferTask)
    case cancel(TransferTask)
    case none
  }

  mutating func setSuspended(_ isSuspended: Bool, _ task: TransferTask) -> Consequence {
    change(of: task) { gathering in
      if isSuspended {
        gathering.suspended.insert(task.identity.number)
      } else {
        gathering.suspended.remove(task.identity.number)
      }
      return gathering.isAtRest ? .suspend(gathering.carrier) : .resume(gathering.carrier)
    }
  }

  /// Whoever leaves does not stop the others; the last one's leaving ends the transfer.
  mutating func leave(_ task: TransferTask) -> Consequence {
    let consequence = change(of: task) { gathering in
      gathering.members.removeAll { $0 === task }
      gathering.suspended.remove(task.identity.number)
      if gathering.members.isEmpty { return .cancel(gathering.carrier) }
      return gathering.isAtRest ? .suspend(gathering.carrier) : .none
    }
    carrierOfMember[task.identity.number] = nil
    if case .cancel(let carrier) = consequence { _ = close(carrier) }
    return consequence
  }

  /// The transfer is over, or nobody wants it any more.
  ///
  /// - Returns: those who wait for it.
  mutating func close(_ carrier: TransferTask) -> [TransferTask] {
    guard let gathering = gatherings.removeValue(forKey: carrier.identity.number) else { return [] }
    carrierOfKey[gathering.key] = nil
    for member in gathering.members { carrierOfMember[member.identity.number] = nil }
    return gathering.members
  }

  private mutating func change(of task: TransferTask, _ change: (inout Gathering) -> Consequence) -> Consequence {
    guard let number = carrierOfMember[task.identity.number] else { return .none }
    return change(&gatherings[number]!)
  }
}
