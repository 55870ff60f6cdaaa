import XferEvents
import XferLifecycle

/// Finds the uploads that send the same file, and describes failed file operations together with the state of the device.
struct FileLedger: Sendable {
  private var tasksOfSource: [String: [TaskUID]] = [:]
  private var sourceOfTask: [TaskUID: String] = [:]

  mutating func noteMade(_ task: TaskUID, _ event: EventView) {
    guard let source = event.sourceFile?.key else { return }
    tasksOfSource[source, default: []].append(task)
    sourceOfTask[task] = source
  }

  /// Returns the tasks, other than `task`, that were created to send the file that the event names.
  func others(than task: TaskUID, of event: EventView) -> [TaskUID] {
    guard !tasksOfSource.isEmpty, let file = event.file?.key else { return [] }
    return (tasksOfSource[file] ?? []).filter { $0 != task }
  }

  mutating func forget(_ task: TaskUID) {
    guard !sourceOfTask.isEmpty, let source = sourceOfTask.removeValue(forKey: task) else { return }
    tasksOfSource[source]?.removeAll { $0 == task }
    if tasksOfSource[source]?.isEmpty ?? false { tasksOfSource[source] = nil }
  }

  /// Returns the file trouble that an event shows; `nil` if it shows none.
  func trouble(_ event: EventView, _ fact: Fact, of task: Int, process: Int, in world: World) -> FileTrouble? {
    let kind: FileTrouble.Kind
    switch fact.kind {
    case .fileOffered where event.exists == false && world.tasks[task].file.claimed == nil: kind = .offer
    case .fileClaimed where event.osError != nil: kind = .claim
    case .diskOpenFailed: kind = world.processes[process].role == .daemon ? .transfer : .open
    case .attemptEnded where event.end == .file || event.osError == FileTrouble.noSpace: kind = .transfer
    case .taskCompleted where world.tasks[task].attempt?.end != .file && Self.isAboutFile(event): kind = .transfer
    default: return nil
    }
    return FileTrouble(
      kind, fact, osError: event.osError, needed: kind == .claim ? world.tasks[task].file.size : world.tasks[task].bytesMissing,
      .init(
        protection: world.conditions.lock, disk: world.conditions.disk, liveSessions: world.processes[process].sessions.live,
        openFiles: world.processes[process].openFiles))
  }

  /// Whether a task ended because of a local file, according to the task's own error. A task may fail before its first attempt.
  private static func isAboutFile(_ event: EventView) -> Bool {
    event.osError == FileTrouble.noSpace
      || event.osError == FileTrouble.noSuchFile && (event.errorName == "cannotOpenFile" || event.error == readError)
  }

  /// libcurl's CURLE_READ_ERROR.
  private static let readError = 26

  /// Returns the path of a file that does not exist, with the earlier life of the program in which the path was valid; `nil` if
  /// the event shows no such path.
  func lostPath(_ event: EventView, _ fact: Fact, task: TaskIdentity?, process: Int, in world: World) -> LostPath? {
    guard event.osError == FileTrouble.noSuchFile else { return nil }
    let own = world.processes[process].container
    func lies(in container: RecordedText?) -> Bool {
      guard let container, let key = container.key else { return false }
      if let said = event.container?.key { return said == key }
      guard case .plain(let directory) = container, case .plain(let path)? = event.file else { return false }
      return path.hasPrefix(directory + "/")
    }
    if lies(in: own) { return nil }
    var (place, life) = (world.processes[process].earlierLife, nil as Fact?)
    while let earlier = place, life == nil {
      if lies(in: world.processes[earlier].container) { life = world.processes[earlier].started }
      place = world.processes[earlier].earlierLife
    }
    let isPlain = if case .plain? = event.file { true } else { false }
    return LostPath(
      fact, task: task, life: life, existsHere: event.exists, namesContainer: event.container?.key != nil || isPlain)
  }
}
