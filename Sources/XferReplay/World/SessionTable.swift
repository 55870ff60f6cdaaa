package import XferLifecycle

/// All session objects that the log told of, by their places: in the order in which they were first seen.
package struct SessionTable: RandomAccessCollection {
  private var lifecycles: [SessionLifecycle] = []
  /// An app may make a session for each request.
  private var ofIdentifier: [String: [Int]] = [:]
  private var ofProcess: [Int: [Int]] = [:]

  package init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { lifecycles.count }
  package subscript(place: Int) -> SessionLifecycle { lifecycles[place] }

  /// The last incarnation of an identifier, in one process life or in any.
  package func last(_ identifier: String, ofProcess process: Int? = nil) -> SessionLifecycle? {
    place(of: identifier, ofProcess: process).map { lifecycles[$0] }
  }

  package func place(of identifier: String, ofProcess process: Int? = nil) -> Int? {
    let isWanted = { (session: SessionLifecycle) in
      session.identifier == identifier && (process ?? session.process) == session.process
    }
    // Nearly always it is one of the newest, which costs less to look at than to hash a name.
    let newest = lifecycles.indices.suffix(4)
    if let place = newest.last(where: { isWanted(lifecycles[$0]) }) { return place }
    guard newest.startIndex > 0 else { return nil }
    return ofIdentifier[identifier]?.last { isWanted(lifecycles[$0]) }
  }

  /// All incarnations of an identifier, oldest first.
  package func incarnations(of identifier: String) -> some BidirectionalCollection<SessionLifecycle> {
    (ofIdentifier[identifier] ?? []).lazy.map { lifecycles[$0] }
  }

  /// Of a process life.
  package func places(ofProcess process: Int) -> [Int] { ofProcess[process] ?? [] }

  // MARK: Changes

  /// - Returns: its place.
  mutating func append(_ facts: SessionFacts) -> Int {
    lifecycles.append(SessionLifecycle(facts))
    let place = lifecycles.count - 1
    ofIdentifier[facts.identifier, default: []].append(place)
    ofProcess[facts.process, default: []].append(place)
    return place
  }

  /// The session, to be changed: another copy of the table keeps it as it was.
  subscript(changing place: Int) -> SessionLifecycle {
    mutating get {
      if !isKnownUniquelyReferenced(&lifecycles[place]) { lifecycles[place] = SessionLifecycle(lifecycles[place].facts) }
      return lifecycles[place]
    }
  }
}
