import XferEngine

/// Effects that are held until the state they depend on is stored. While storing fails, they stay held.
///
/// If effects were performed first, a daemon that is killed before the write could repeat or forget work. For example, a file
/// must not be removed before the app's acknowledgement of the file is stored.
struct HeldEffects {
  private var effects: [ServiceCore.Effect] = []
  /// The items to store. Their contents are read when the write is made.
  private(set) var items: Set<ServiceStore.Item> = []
  /// The number of consecutive failed writes.
  private(set) var failures = 0

  mutating func add(_ new: [ServiceCore.Effect]) {
    for effect in new {
      switch effect {
      case .storeTask(let uid): items.insert(.task(uid))
      case .storeSession(let key): items.insert(.session(key))
      case .storeApp(let name): items.insert(.app(name))
      case .applyConditions: items.insert(.conditions)
      // Progress messages are dropped while writes fail: they would be obsolete when sent, and could be many.
      case .send(_, .progress) where isWaiting: continue
      default: break
      }
      effects.append(effect)
    }
  }

  /// Whether the last write failed, so that the next write waits for its retry delay.
  var isWaiting: Bool { failures > 0 }

  /// Records a failed write and returns the delay before the next attempt, in nanoseconds.
  mutating func noteFailure() -> Int {
    failures += 1
    return min(Self.minimumDelay << min(failures - 1, 16), Self.maximumDelay)
  }

  private static let minimumDelay = 50_000_000
  private static let maximumDelay = 5_000_000_000

  /// Returns and removes all held effects. Must be called only after the state they depend on was stored.
  mutating func take() -> [ServiceCore.Effect] {
    defer { self = HeldEffects() }
    return effects
  }
}
