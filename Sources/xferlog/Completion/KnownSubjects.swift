import CXferPlatform
import XferEvents
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The tasks and sessions that logs mention, for completions. Reading stops at a time limit, so of a large log only the newest part
/// is known.
struct KnownSubjects {
  /// Tasks as `session/number`, those of the newest segments first.
  private(set) var tasks: [String] = []
  private(set) var sessions: [String] = []
  private var seen: (tasks: Set<String>, sessions: Set<String>) = ([], [])
  private let deadline: Int64

  /// The maximum time that a completion reads logs, in nanoseconds.
  static let patience: Int64 = 250_000_000
  /// The maximum size of a log of another program that a completion reads, in bytes. Such a log has no index and is read from its
  /// beginning.
  private static let largestForeign: Int64 = 8 << 20

  init(_ paths: [String], _ surroundings: Surroundings, patience: Int64 = Self.patience) {
    deadline = xp_clock_monotonic().addingClamped(patience)
    for path in paths where !isOver { read(path, surroundings) }
  }

  private var isOver: Bool { xp_clock_monotonic() >= deadline }

  private mutating func read(_ path: String, _ surroundings: Surroundings) {
    switch LogRecognition(path: path) {
    case .inputs(let inputs, _):
      for input in inputs {
        switch input {
        case .directory(let directory):
          // The names are in ascending order of the segments' numbers.
          for name in LogDirectory.names(in: directory).reversed() where name.hasSuffix(".seg") && !isOver {
            read(segment: "\(directory)/\(name)")
          }
        case .segment(let file): read(segment: file)
        }
      }
    case .refused:
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largestForeign,
        let source = try? LogInputs([path], surroundings).source()
      else { return }
      take(source)
    case .nothing, .emptyDirectory: break
    }
  }

  private mutating func read(segment path: String) {
    let notes = Notes()
    // The index of a sealed segment lists its tasks and sessions. All of its blocks are declined, so none is read.
    var selection = BlockSelection()
    selection.isTaskWanted = {
      notes.tasks.append($0)
      return false
    }
    selection.isSessionWanted = {
      notes.sessions.append($0)
      return false
    }
    let reader = LogReader(
      [.segment(path)], isFollowing: false, selection: selection, leavesOutCopies: false, infersInstallations: false)
    for task in notes.tasks.reversed() { note(task) }
    for session in notes.sessions.reversed() { note(session: session) }
    take(reader)
  }

  private final class Notes {
    var tasks: [TaskIdentity] = []
    var sessions: [String] = []
  }

  private mutating func take(_ source: any EventSource) {
    var batch = EventBatch()
    var found: [TaskIdentity] = []
    while !isOver, source.fill(&batch) {
      for event in batch.events {
        if let task = event.task {
          if found.last != task { found.append(task) }
        } else if let session = event.session {
          note(session: session)
        }
      }
      batch.removeAll()
    }
    for task in found.reversed() { note(task) }
  }

  private mutating func note(_ task: TaskIdentity) {
    if seen.tasks.insert(task.label).inserted { tasks.append(task.label) }
    note(session: task.session)
  }

  private mutating func note(session: String) {
    if !session.isEmpty, seen.sessions.insert(session).inserted { sessions.append(session) }
  }
}
