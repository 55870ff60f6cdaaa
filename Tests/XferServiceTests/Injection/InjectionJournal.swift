import Foundation

/// What was injected into a lifecycle, and what the app and the device themselves saw of it. Nothing in it comes from the log.
struct InjectionJournal {
  let entries: [Entry]
  /// The completions that the app received: the status or error of each, by task.
  private(set) var told: [String: [String]] = [:]
  /// The tasks whose completion the app never received.
  let lost: Set<String>
  /// The causes that had no effect, because the app was not launched for its events.
  let ineffective: [InjectedCause]

  /// One injected cause.
  struct Entry {
    let cause: InjectedCause
    /// The tasks that the cause hit. Empty if it concerns no single task.
    let tasks: [String]
    let sessions: [String]
  }

  /// - Parameter folder: The folder of the run.
  init(_ life: InjectedLife, folder: String) {
    let record = FileManager.default.contents(atPath: "\(folder)/files/told") ?? Data()
    for line in String(decoding: record, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 3 else { continue }
      told[words[0], default: []].append(words[2].isEmpty ? words[1] : words[2])
    }
    let wasWoken = FileManager.default.fileExists(atPath: "\(folder)/files/woken")
    let told = told
    /// Whether the app received the completion, to the end of its callback.
    func isReceived(_ task: String, _ piece: InjectedPiece) -> Bool {
      told[task] != nil && !(piece.lost.contains(task) && piece.cause?.endsInCallback == true)
    }
    lost = Set(life.allPieces.flatMap { piece in piece.tasks.filter { !isReceived($0, piece) } })
    entries = life.allPieces.flatMap { piece -> [Entry] in
      guard let cause = piece.cause, !cause.needsWake || wasWoken else { return [] }
      func entry(_ tasks: [String]) -> Entry { Entry(cause: cause, tasks: tasks, sessions: piece.concernedSessions) }
      guard cause.hitsEachTask else { return [entry(piece.tasks)] }
      // An event of the device does not hit a task that had ended before.
      return piece.tasks.filter { !isReceived($0, piece) || told[$0]?.last.flatMap { Int($0) } == nil }.map { entry([$0]) }
    }
    ineffective = wasWoken ? [] : life.causes.filter(\.needsWake)
  }
}

extension InjectedCause {
  /// Whether each task that the cause hits has a diagnosis of its own.
  fileprivate var hitsEachTask: Bool {
    [.forceQuit, .backgroundRefreshOff, .killedInTransfer, .daemonStateDeleted, .crashedInCallback, .exitedInCallback].contains(
      self)
  }

  /// Whether the app's process ends in the callback of a completion.
  fileprivate var endsInCallback: Bool { [.crashedInCallback, .exitedInCallback].contains(self) }

  /// Whether the cause has an effect only if the app is launched for its events.
  fileprivate var needsWake: Bool {
    InjectedCourse.wakes.contains(self) && ![.crashInEachWake, .programRemoved, .noLaunchEvents].contains(self)
  }
}
