/// One session object, an incarnation of a session in one process life: its facts.
///
/// By reference, as processes are. Whoever changes it makes sure to be the only one who has it: see `World`.
package final class SessionLifecycle {
  // One thread reads a log; checks for overlapping access would cost more than the accesses.
  @exclusivity(unchecked) package var facts: SessionFacts

  package init(_ facts: SessionFacts) { self.facts = facts }
}
