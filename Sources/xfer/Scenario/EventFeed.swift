import Foundation
import Synchronization
import XferScript

/// The events of a growing log, received from `xferlog tail`.
final class EventFeed: Sendable {
  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let process: Mutex<Process>

  private struct State {
    var events: [LoggedEvent] = []
    var rest: [UInt8] = []
  }

  /// - Parameters:
  ///   - xferlog: The path of the `xferlog` program.
  ///   - log: The path of the log, which may not exist yet.
  init(xferlog: String, log: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: xferlog)
    process.arguments = ["tail", "-f", "-n", "all", "--no-findings", "-o", "ndjson", log]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    self.process = Mutex(process)
    pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil } else { self?.take(data) }
    }
    try process.run()
  }

  private func take(_ data: Data) {
    state.withLock { state in
      state.rest += data
      while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
        if let event = LoggedEvent(line: Data(state.rest[..<end])) { state.events.append(event) }
        state.rest.removeFirst(end + 1)
      }
    }
    arrivals.signal()
  }

  /// Waits until the given number of matching events has arrived.
  ///
  /// - Returns: The number of matching events when the wait ended.
  func wait(for count: Int, until deadline: DispatchTime, _ isWanted: (LoggedEvent) -> Bool) -> Int {
    while true {
      let found = state.withLock { $0.events.count(where: isWanted) }
      if found >= count { return found }
      if arrivals.wait(timeout: deadline) == .timedOut { return found }
    }
  }

  func stop() {
    process.withLock { process in
      process.terminate()
      process.waitUntilExit()
    }
  }
}

/// A log event as printed by `xferlog`.
struct LoggedEvent: Sendable {
  let name: String
  private let values: [String: String]

  init?(line: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any], let name = object["event"] as? String
    else { return nil }
    self.name = name
    var values: [String: String] = [:]
    let fields = object["fields"] as? [String: Any] ?? [:]
    for (key, value) in object.merging(fields, uniquingKeysWith: { _, field in field }) { values[key] = Self.text(value) }
    // Add the fields of the event's task, for example its number in its session.
    if let task = object["task"] as? [String: Any] {
      for (key, value) in task where values[key] == nil { values[key] = Self.text(value) }
    }
    self.values = values
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: return text
    case let number as NSNumber:
      // An NSNumber that was parsed from `true` or `false` has the type `c`, which distinguishes it from 1 and 0.
      return String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : "\(number)"
    default: return nil
    }
  }

  subscript(field: String) -> String? { values[field] }

  func matches(_ pattern: Scenario.EventPattern) -> Bool {
    name == pattern.event && pattern.fields.allSatisfy { self[$0.key] == $0.value }
  }

  /// The ending of a process in the notation of scenarios: `exitCall 0` or `signal 9`. `nil` for other events.
  var ending: String? {
    guard name == "process.exitObserved" else { return nil }
    return [self["exitReason"], self["code"] ?? self["signal"]].compactMap { $0 }.joined(separator: " ")
  }
}
