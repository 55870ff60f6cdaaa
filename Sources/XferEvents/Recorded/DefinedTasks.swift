/// The tasks that a source defines, by symbol.
///
/// A large log defines millions of tasks, so each takes 32 bytes and refers to its session by a number.
struct DefinedTasks {
  private var tasks = SymbolTable<Stored>()
  private var sessions: [String] = []
  private var numbers: [String: UInt32] = [:]

  private struct Stored {
    let uid: TaskUID
    let session: UInt32
    let number: UInt32
  }

  subscript(_ symbol: UInt32) -> TaskIdentity? { tasks[symbol].map(identity) }

  private func identity(_ task: Stored) -> TaskIdentity {
    TaskIdentity(uid: task.uid, session: sessions[Int(task.session)], number: task.number)
  }

  mutating func set(_ task: TaskIdentity, at symbol: UInt32) {
    let session = numbers[task.session] ?? UInt32(clamping: sessions.count)
    if Int(session) == sessions.count {
      sessions.append(task.session)
      numbers[task.session] = session
    }
    tasks.set(Stored(uid: task.uid, session: session, number: task.number), at: symbol)
  }

  /// All tasks, in the order of their symbols.
  var all: [(symbol: UInt32, value: TaskIdentity)] { tasks.all.map { ($0.symbol, identity($0.value)) } }

  /// Frees the room for further tasks.
  mutating func trim() { tasks.trim() }
}
