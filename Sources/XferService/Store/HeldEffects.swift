import XferEngine

/// Effects on their way: what they presuppose is stored first, and while that fails they wait.
///
/// An acknowledgement that is not on the disk must not cost the file that it is about, and a task that is not there must not be begun: a
/// daemon that died then would do it again, or never.
struct HeldEffects {
  private var effects: [ServiceCore.Effect] = []
  /// What has to be stored, in its state at that time.
  private(set) var items: Set<ServiceStore.Item> = []
  /// Attempts to store it that failed, in a row.
  private(set) var failures = 0

  mutating func add(_ new: [ServiceCore.Effect]) {
    for effect in new {
      switch effect {
      case .storeTask(let uid): items.insert(.task(uid))
      case .storeSession(let key): items.insert(.session(key))
      case .storeApp(let name): items.insert(.app(name))
      case .applyConditions: items.insert(.conditions)
      // It is out of date by the time that it could be sent, and there may be many.
      case .send(_, .progress) where isWaiting: continue
      default: break
      }
      effects.append(effect)
    }
  }

  /// Whether the disk is asked again only when its time has come.
  var isWaiting: Bool { failures > 0 }

  /// - Returns: nanoseconds until the next attempt.
  mutating func noteFailure() -> Int {
    failures += 1
    return min(Self.leastDelay << min(failures - 1, 16), Self.greatestDelay)
  }

  private static let leastDelay = 50_000_000
  private static let greatestDelay = 5_000_000_000

  /// What may be done, now that all is stored.
  mutating func take() -> [ServiceCore.Effect] {
    defer { self = HeldEffects() }
    return effects
  }
}
