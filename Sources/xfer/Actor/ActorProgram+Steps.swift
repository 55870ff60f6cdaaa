import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferScript

// MARK: Running steps
extension ActorProgram {
  func run(_ steps: [ActorStep], _ context: ActorContext) { for step in steps { start(step, context) } }

  /// Runs a step with its repetitions, in its turn or later.
  private func start(_ step: ActorStep, _ context: ActorContext) {
    var context = context
    for turn in 1...step.times {
      if step.times > 1 { context.repetition = turn }
      let wait = (step.delay ?? .zero) + (step.interval.map { $0 * (turn - 1) } ?? .zero)
      guard step.delay != nil || step.queue != nil || step.interval != nil else {
        perform(step, context)
        continue
      }
      let later = context
      queue(step.queue ?? .main, context).asyncAfter(deadline: .now() + wait.dispatched) { self.perform(step, later) }
    }
  }

  private func queue(_ queue: ActorStep.Queue, _ context: ActorContext) -> DispatchQueue {
    switch queue {
    case .main: .main
    case .global: .global()
    case .delegate: (try? held(nil, context))?.queue ?? .main
    }
  }

  private func perform(_ step: ActorStep, _ context: ActorContext) {
    if let condition = step.condition, !holds(condition, at: step.place, context) { return }
    do throws(ActorFailure) {
      try act(step.verb, step.arguments, context)
    } catch {
      if step.otherwise.isEmpty { note("line \(step.line): \(step.verb): \(error.problem)") }
      run(step.otherwise, context)
    }
  }

  private func holds(_ condition: ActorCondition, at place: String, _ context: ActorContext) -> Bool {
    func agrees<Value: Equatable>(_ wanted: Value?, _ found: @autoclosure () -> Value?) -> Bool {
      wanted.map { $0 == found() } ?? true
    }
    func file(_ path: String) -> Bool { FileManager.default.fileExists(atPath: text(path, context)) }
    guard
      agrees(condition.task.map { text($0, context) }, context.task.map(name(of:))),
      agrees(condition.session.map { text($0, context) }, sessionName(context)),
      condition.url.map({ path(of: context).hasSuffix(text($0, context)) }) ?? true,
      condition.status.map({ statusHolds($0, context.status) }) ?? true,
      condition.error.map({ errorHolds($0, context.error) }) ?? true,
      agrees(condition.hasResumeData, context.resumeData != nil || context.error?.downloadTaskResumeData != nil),
      agrees(condition.hasFile, context.file != nil),
      agrees(condition.nth, context.nth), agrees(condition.launch, launch), agrees(condition.isWoken, BackgroundApp.isWoken),
      agrees(condition.isBackground, BackgroundApp.startsInBackground),
      condition.received.map({ Int64($0) <= context.task?.countOfBytesReceived ?? -1 }) ?? true,
      agrees(condition.delegate, context.delegate), agrees(condition.trigger, context.trigger),
      agrees(condition.isAvailable, context.isAvailable), condition.existing.map(file) ?? true,
      condition.missing.map({ !file($0) }) ?? true
    else { return false }
    return !condition.once || state.withLock { $0.reached.insert(place).inserted }
  }

  private func statusHolds(_ wanted: String, _ status: Int?) -> Bool {
    guard let status else { return false }
    switch wanted {
    case "ok": return status < 400
    case "bad": return status >= 400
    default: return wanted == "\(status)"
    }
  }

  private func errorHolds(_ wanted: String, _ error: TransferError?) -> Bool {
    switch wanted {
    case "true": error != nil
    case "false": error == nil
    default: error?.code.rawValue == wanted
    }
  }

  private func path(of context: ActorContext) -> String {
    let path = context.task?.originalRequest.path ?? ""
    return String(path.prefix { $0 != "?" })
  }

  // MARK: Texts

  /// Returns a text of the script with its variables replaced.
  func text(_ text: String, _ context: ActorContext) -> String {
    guard text.contains("$") else { return text }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if rest.first == "{", let end = rest.firstIndex(of: "}") {
        let name = String(rest[rest.index(after: rest.startIndex)..<end])
        result += memory.text("value", name) ?? ""
        rest = rest[rest.index(after: end)...]
        continue
      }
      let name = rest.prefix { $0.isASCII && $0.isUppercase }
      rest = rest[name.endIndex...]
      if name == "NOW" {
        result += "\(Int64(BackgroundApp.now) + Self.secondsAdded(&rest))"
      } else {
        result += variable(String(name), context) ?? "$" + name
      }
    }
    return result + rest
  }

  /// Removes a sum such as `+60` from the beginning of a text and returns its number of seconds. Returns 0 if there is none.
  private static func secondsAdded(_ rest: inout Substring) -> Int64 {
    let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard rest.first == "+", digits.count <= 10, let seconds = Int64(digits) else { return 0 }
    rest = rest[digits.endIndex...]
    return seconds
  }

  private func variable(_ name: String, _ context: ActorContext) -> String? {
    switch name {
    case "SERVER": place.server
    case "PORT": place.port
    case "FILES": place.files
    case "DIR": place.directory
    case "LAUNCH": "\(launch)"
    case "N": "\(context.repetition)"
    case "UUID": UUID().uuidString
    case "PID": "\(getpid())"
    case "TASK": context.task.map(self.name(of:)) ?? ""
    case "URL":
      context.task.map {
        "\($0.originalRequest.scheme ?? "http")://\($0.originalRequest.authority ?? "")\($0.originalRequest.path ?? "")"
      } ?? ""
    case "NAME": (context.response ?? context.task?.response)?.suggestedFilename ?? "file"
    case "STATUS": context.status.map { "\($0)" } ?? ""
    case "SESSION": sessionName(context) ?? ""
    case "LOCATION": context.file?.path ?? ""
    case "ERROR": context.error?.code.rawValue ?? ""
    case "COUNT": context.count.map { "\($0)" } ?? ""
    default: nil
    }
  }
}

extension Duration {
  /// The duration for Dispatch, at most ten years.
  var dispatched: DispatchTimeInterval {
    let nanoseconds = min(max(self, .zero), .seconds(10 * 365 * 86_400)) / .nanoseconds(1)
    return .nanoseconds(Int(nanoseconds))
  }

  var inSeconds: Double { self / .seconds(1) }
}
