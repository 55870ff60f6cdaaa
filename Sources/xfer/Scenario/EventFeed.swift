import Foundation
import Synchronization
import XferScript

/// The events of a log as they come, by what `xferlog tail` says.
final class EventFeed: Sendable {
  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let process: Mutex<Process>

  private struct State {
    var events: [LoggedEvent] = []
    var rest: [UInt8] = []
  }

  /// - Parameters:
  ///   - xferlog: the reading tool.
  ///   - log: need not be there yet.
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

  /// Waits until so many events have come that are as wanted.
  ///
  /// - Returns: how many had come when it was over.
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

/// An event as the reading tool shows it.
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
    // Of a task, what it has in its own session.
    if let task = object["task"] as? [String: Any] {
      for (key, value) in task where values[key] == nil { values[key] = Self.text(value) }
    }
    self.values = values
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: return text
    case let number as NSNumber:
      // Foundation's numbers know whether they were `true` and `false`.
      return String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : "\(number)"
    default: return nil
    }
  }

  subscript(field: String) -> String? { values[field] }

  func matches(_ pattern: Scenario.EventPattern) -> Bool {
    name == pattern.event && pattern.fields.allSatisfy { self[$0.key] == $0.value }
  }

  /// How a process ended, as scenarios write it: `exitCall 0`, `signal 9`.
  var ending: String? {
    guard name == "process.exitObserved" else { return nil }
    return [self["exitReason"], self["code"] ?? self["signal"]].compactMap { $0 }.joined(separator: " ")
  }
}
