import CXferPlatform
import XferEvents
import XferIndex
import XferLogStore
import XferReading
import XferSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Creates indexes and reuses current ones.
struct IndexMaker {
  let plan: IndexPlan
  let outcome: OutcomeOptions
  /// Returns whether an event gets a row; `nil` for all events. All other tables have the rows of the whole log.
  let selects: ((RecordedEvent) -> Bool)?

  init(plan: IndexPlan, outcome: OutcomeOptions, selects: ((RecordedEvent) -> Bool)? = nil) {
    (self.plan, self.outcome, self.selects) = (plan, outcome, selects)
  }

  /// Returns an index to query. A current index in the cache is reused. If the cache cannot be written, the index is temporary.
  func current() throws -> Made {
    guard let path = plan.standardPath else { return try temporary() }
    if try isCurrent(path) {
      IndexCache(of: path).noteUse()
      return Made(path: path)
    }
    guard (try? Self.prepareDirectory(of: path)) != nil, let draft = try? FileDraft(for: path) else {
      return try temporary()
    }
    try fill(draft)
    IndexCache(of: path).prune()
    return Made(path: path)
  }

  /// Creates the index at a path unless a current one exists there.
  func make(at path: String) throws {
    if try isCurrent(path) { return }
    if access(path, F_OK) == 0, !IndexFile(path: path).isIndex {
      throw CommandExit(
        .failed, "\(path) exists and is not an xferlog index; not overwritten.\nChoose another path, or remove the file.")
    }
    do {
      try fill(FileDraft(for: path))
    } catch let problem as SystemProblem {
      throw CommandExit(.failed, "\(path) cannot be created (\(problem)).\nChoose a writable path with --to.")
    }
  }

  /// Whether the file is a current index of the inputs.
  private func isCurrent(_ path: String) throws -> Bool {
    let file = IndexFile(path: path)
    guard file.isMade(from: plan.origin) else { return false }
    // An earlier command with --allow-empty may have made an index without events. Without this option, such an index is an
    // error.
    if !outcome.allowEmpty, !file.hasEvents { throw CommandExit(.nothingAnalysed, "the log has no events") }
    plan.inputs.remarkRefusals()
    return true
  }

  /// Returns an index that is deleted when it is no longer used.
  private func temporary() throws -> Made {
    let directory = xp_variable("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    do {
      let draft = try FileDraft(for: "\(directory)/xferlog-index")
      try fill(draft, isPlaced: false)
      return Made(path: draft.path, draft: draft)
    } catch let problem as SystemProblem {
      throw CommandExit(
        .failed,
        "no index can be created in the cache or in \(directory) (\(problem)).\nChoose a writable directory with $TMPDIR.")
    }
  }

  /// Fills a draft, and moves it to the index's path if `isPlaced` is set.
  func fill(_ draft: FileDraft, isPlaced: Bool = true) throws {
    let input = try plan.inputs.source(recovery: plan.recovery)
    do {
      let writer = try IndexWriter(path: draft.path, origin: plan.origin) { source in
        SegmentStamp.canonical(input.origins[source.index].path)
      }
      let log = try DiagnosedLog(
        plan.inputs, rules: plan.rules.rules, source: input, onTaskEnd: { task, world in writer.append(task, in: world) },
        each: { member in
          if let selects, case .event(let event) = member {
            try writer.append(member, isSelected: selects(event))
          } else {
            try writer.append(member)
          }
        })
      // Queries of an empty index would give wrong answers instead of an error.
      if let emptiness = log.emptiness(outcome) { try DiagnosedLog.end(emptiness) }
      try writer.finish(log.diagnosis, incompleteness: log.incompleteness)
    } catch let error as SQLiteError {
      throw CommandExit(
        .failed, "\(draft.path) cannot be written: \(error.message).\nChoose another path with --to or $XDG_CACHE_HOME.")
    }
    guard isPlaced else { return }
    do throws(SystemProblem) { try draft.place() } catch {
      throw CommandExit(
        .failed,
        "\(draft.path) was written, but cannot be renamed to the index's path (\(error)).\nChoose another path with --to.")
    }
  }

  /// Creates the directory of a file, accessible only to its owner.
  static func prepareDirectory(of path: String) throws {
    let directory = LogDirectory.parent(of: path)
    do throws(LogError) {
      try LogDirectory.create(directory)
    } catch {
      throw CommandExit(.failed, "\(error.place): \(error.problem).\nChoose another path with --to or $XDG_CACHE_HOME.")
    }
  }

  /// - Returns: an open index whose statements the user can interrupt.
  static func query(_ path: String, _ limits: IndexQuery.Limits) throws -> IndexQuery {
    do {
      return try IndexQuery(path: path, limits: limits) { (try? Interruption.check()) == nil }
    } catch {
      if error.isExhaustion, let bytes = limits.bytes {
        throw CommandExit(
          .failed, "the memory limit of \(ByteCount(bytes)) is too small to open the index.\nRaise it with --memory.")
      }
      throw CommandExit(.failed, "\(path) cannot be read: \(error.message).\nRemove the file; the next command creates it again.")
    }
  }

  /// An index that exists at least as long as this object.
  final class Made {
    let path: String
    private let draft: FileDraft?

    init(path: String, draft: FileDraft? = nil) {
      self.path = path
      self.draft = draft
    }
  }
}
