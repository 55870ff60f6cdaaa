/// One session object, which is the incarnation of a session in one process life.
///
/// Sessions are objects like processes. Code that changes one first makes sure that nothing else refers to it; see `World`.
package final class SessionLifecycle {
  // Only one thread reads a log, and the checks for overlapping access would cost more than the accesses.
  @exclusivity(unchecked) package var facts: SessionFacts

  package init(_ facts: SessionFacts) { self.facts = facts }
}
