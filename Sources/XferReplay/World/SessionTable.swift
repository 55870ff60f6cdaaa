package import XferLifecycle

/// All session objects of the log. A session's index is its position in the order of first mention.
package struct SessionTable: RandomAccessCollection {
  private var lifecycles: [SessionLifecycle] = []
  /// The indexes of sessions by identifier. A linear search would be slow in apps that create a session for each request.
  private var ofIdentifier: [String: [Int]] = [:]
  private var ofProcess: [Int: [Int]] = [:]

  package init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { lifecycles.count }
  package subscript(place: Int) -> SessionLifecycle { lifecycles[place] }

  /// Returns the newest session object with an identifier, in one process life or, if `process` is `nil`, in any.
  package func last(_ identifier: String, ofProcess process: Int? = nil) -> SessionLifecycle? {
    place(of: identifier, ofProcess: process).map { lifecycles[$0] }
  }

  package func place(of identifier: String, ofProcess process: Int? = nil) -> Int? {
    let isWanted = { (session: SessionLifecycle) in
      session.identifier == identifier && (process ?? session.process) == session.process
    }
    // Nearly all lookups are for one of the newest sessions, and comparing a few is cheaper than hashing a name.
    let newest = lifecycles.indices.suffix(4)
    if let place = newest.last(where: { isWanted(lifecycles[$0]) }) { return place }
    guard newest.startIndex > 0 else { return nil }
    return ofIdentifier[identifier]?.last { isWanted(lifecycles[$0]) }
  }

  /// Returns all session objects with an identifier, oldest first.
  package func incarnations(of identifier: String) -> some BidirectionalCollection<SessionLifecycle> {
    (ofIdentifier[identifier] ?? []).lazy.map { lifecycles[$0] }
  }

  /// Returns the indexes of a process life's session objects, oldest first.
  package func places(ofProcess process: Int) -> [Int] { ofProcess[process] ?? [] }

  // MARK: Changes

  /// - Returns: the index of the new session.
  mutating func append(_ facts: SessionFacts) -> Int {
    lifecycles.append(SessionLifecycle(facts))
    let place = lifecycles.count - 1
    ofIdentifier[facts.identifier, default: []].append(place)
    ofProcess[facts.process, default: []].append(place)
    return place
  }

  /// The session at an index, for changing. It is copied first if another copy of the table refers to it.
  subscript(changing place: Int) -> SessionLifecycle {
    mutating get {
      if !isKnownUniquelyReferenced(&lifecycles[place]) { lifecycles[place] = SessionLifecycle(lifecycles[place].facts) }
      return lifecycles[place]
    }
  }
}
