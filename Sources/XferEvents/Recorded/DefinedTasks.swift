/// The tasks that a source defines, by symbol.
///
/// A large log defines millions of tasks, so each takes 32 bytes and refers to its session by a number.
struct DefinedTasks {
  private var tasks = SymbolTable<Stored>()
  private var sessions: [String] = []
  private var numbers: [String: UInt32] = [:]
  /// The index in `sessions` of the last task's session.
  private var last = 0

  private struct Stored {
    let uid: TaskUID
    let session: UInt32
    let number: UInt32
  }

  subscript(_ symbol: UInt32) -> TaskIdentity? {
    guard let task = tasks[symbol] else { return nil }
    return identity(task)
  }

  private func identity(_ task: Stored) -> TaskIdentity {
    TaskIdentity(uid: task.uid, session: sessions[Int(task.session)], number: task.number)
  }

  mutating func set(_ task: TaskIdentity, at symbol: UInt32) {
    // Most tasks belong to the session of the task before.
    if last >= sessions.count || sessions[last] != task.session { last = place(of: task.session) }
    tasks.set(Stored(uid: task.uid, session: UInt32(clamping: last), number: task.number), at: symbol)
  }

  private mutating func place(of session: String) -> Int {
    if let known = numbers[session] { return Int(known) }
    numbers[session] = UInt32(clamping: sessions.count)
    sessions.append(session)
    return sessions.count - 1
  }

  /// All tasks, in the order of their symbols.
  var all: [(symbol: UInt32, value: TaskIdentity)] { tasks.all.map { ($0.symbol, identity($0.value)) } }

  /// Frees the room for further tasks.
  mutating func trim() { tasks.trim() }
}
