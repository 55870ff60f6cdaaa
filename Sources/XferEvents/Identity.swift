/// The identity of a task across processes, sessions and daemon restarts: 128 random bits.
///
/// URLSession's task numbers cannot be used for this, because they restart at 1 in every session.
public struct TaskUID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next())
  }

  /// Hashes one word instead of two, which is faster. Both halves are random, so their exclusive-or is random, too.
  public func hash(into hasher: inout Hasher) { hasher.combine(high ^ low) }
}

/// The identity of one process life: 128 random bits, drawn when the process opens the log.
public struct LaunchID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next())
  }
}

/// The identity of one boot of a machine. Except for the wall clock, clock readings can only be compared within one boot. On
/// Linux, the value of `/proc/sys/kernel/random/boot_id`.
public struct BootID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A number that tells two boots apart in facts, which have no room for the whole identifier; never 0, which stands for an unknown
  /// boot. Two boots have the same mark with a probability of 1 in 4 billion.
  package var mark: UInt32 {
    let mixed = high ^ low
    return max(1, UInt32(truncatingIfNeeded: mixed ^ mixed >> 32))
  }
}

/// The uid of a task, with the session and the number by which the app knows it. Every event about a task contains it.
public struct TaskIdentity: Hashable, Sendable {
  public let uid: TaskUID
  /// The identifier of the session. A session without an identifier has a name that is unique within the process.
  public let session: String
  /// URLSession's `taskIdentifier`, which is unique only within one session object.
  public let number: UInt32

  public init(uid: TaskUID, session: String, number: UInt32) {
    self.uid = uid
    self.session = session
    self.number = number
  }

  /// Hashes the short parts only. Tasks with the same uid are nearly always the same task.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(uid)
    hasher.combine(number)
  }

  /// The name of the task for people, such as `session/number`.
  package var label: String { "\(session)/\(number)" }
}

/// The identity of one callback, from the moment it is queued. A redelivered callback keeps it.
public struct DeliveryID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identity of the completion handler that an app receives with one wake and calls when it has handled the session's events.
public struct HandlerID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// An identifier that joins the first and the last event of an operation or object that may never end: a challenge, a query, an
/// assertion, a connection, a session object.
public struct CorrelationID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A 64-bit digest that is recorded in place of a value.
public struct ValueDigest: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

extension TaskUID: CustomStringConvertible { public var description: String { hexadecimalUUID(high, low) } }
extension LaunchID: CustomStringConvertible { public var description: String { hexadecimalUUID(high, low) } }
extension BootID: CustomStringConvertible { public var description: String { hexadecimalUUID(high, low) } }

extension TaskUID {
  /// Parses the form with 8-4-4-4-12 digits, or 32 digits without dashes.
  public init?(_ text: String) {
    guard let (high, low) = uuidHalves(text) else { return nil }
    self.init(high: high, low: low)
  }
}

extension LaunchID {
  /// Parses the form with 8-4-4-4-12 digits, or 32 digits without dashes.
  public init?(_ text: String) {
    guard let (high, low) = uuidHalves(text) else { return nil }
    self.init(high: high, low: low)
  }
}

extension BootID {
  /// Parses the form with 8-4-4-4-12 digits, or 32 digits without dashes.
  public init?(_ text: String) {
    guard let (high, low) = uuidHalves(text) else { return nil }
    self.init(high: high, low: low)
  }
}

private func hexadecimalUUID(_ high: UInt64, _ low: UInt64) -> String {
  String(length: 36) { text in
    text.append(hexadecimal: high >> 32, width: 8)
    text.append("-")
    text.append(hexadecimal: high >> 16, width: 4)
    text.append("-")
    text.append(hexadecimal: high, width: 4)
    text.append("-")
    text.append(hexadecimal: low >> 48, width: 4)
    text.append("-")
    text.append(hexadecimal: low, width: 12)
  }
}

/// Accepts only hexadecimal digits. `UInt64(_:radix:)` would also accept a sign.
private func uuidHalves(_ text: String) -> (UInt64, UInt64)? {
  let hasDashes = text.utf8.count == 36
  guard hasDashes || text.utf8.count == 32 else { return nil }
  var halves: (high: UInt64, low: UInt64) = (0, 0)
  for (place, byte) in text.utf8.enumerated() {
    if hasDashes, [8, 13, 18, 23].contains(place) {
      guard byte == UInt8(ascii: "-") else { return nil }
      continue
    }
    let digit: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
    default: return nil
    }
    halves.high = halves.high << 4 | halves.low >> 60
    halves.low = halves.low << 4 | UInt64(digit)
  }
  return halves
}

/// Identifies an installation of the log's library: one user of one device. Logs of two installations have no session, task number or
/// process in common.
public struct InstallationID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
