package import XferEvents

// What is odd about a task, or could become so: few tasks have any of it, so it lies apart.
extension TaskLifecycle {
  package struct Oddities: Sendable {
    /// The app said that it went well, and that it did not.
    package var contradiction: Contradiction?
    /// How an upload's answer reached the app.
    package var answer: AnswerReceipt?
    /// Bytes that were counted once, and then not.
    package var regress: Regress?
    /// What an attempt that was given up had counted.
    package var beforeRetry: Count?
    /// `taskDescription`, as the app set it last.
    package var label: Label?
    /// It came back with another one.
    package var relabelled: Relabelled?
    /// Place of the process life that made it with a completion handler, which no other life has.
    package var handlerProcess: Int?
    /// Another task of its session and number that the app had not done with.
    package var sameNumber: SameNumber?
    /// Another task that fetches the same for the same.
    package var twin: Twin?
    /// The app has no use for it any more, and did not cancel it.
    package var unwanted: Fact?
    /// Since when no process has its session.
    package var unowned: Unowned?

    package init() {}
  }

  final class OdditiesBox: Sendable {
    let oddities: Oddities
    init(_ oddities: Oddities) { self.oddities = oddities }
  }

  package struct Contradiction: Sendable {
    package let first: Fact
    package let second: Fact
    /// Whether the first was the good news.
    package let wasSuccess: Bool
  }

  package struct AnswerReceipt: Sendable {
    /// Bytes that the app was given; `nil` when the log does not say.
    package let received: Int64?
  }

  package struct Count: Sendable {
    package let fact: Fact
    package let bytes: Int64
  }

  package struct Regress: Sendable {
    package let before: Count
    package let after: Count
    /// Another attempt had begun in between.
    package let isRetry: Bool
  }

  package struct Label: Sendable {
    package let said: Fact
    /// By what it is known from another one; `nil` where the log did not keep that.
    package let key: String?
    /// Whoever changed it without being the app.
    package var overwritten: Fact?
  }

  package struct Relabelled: Sendable {
    package let label: Label
    package let adopted: Fact
    package let isEmpty: Bool
    package let isKnown: Bool
  }

  package struct SameNumber: Sendable {
    package let task: TaskIdentity
    /// Its creation, or the app's record that still stands for it.
    package let fact: Fact
    package let isRecord: Bool

    package init(task: TaskIdentity, fact: Fact, isRecord: Bool) {
      (self.task, self.fact, self.isRecord) = (task, fact, isRecord)
    }
  }

  package struct Twin: Sendable {
    package let task: TaskIdentity
    /// Where the table has it.
    package let index: Int
    package let created: Fact
    package let hasSameDestination: Bool

    package init(task: TaskIdentity, index: Int, created: Fact, hasSameDestination: Bool) {
      (self.task, self.index, self.created, self.hasSameDestination) = (task, index, created, hasSameDestination)
    }
  }

  package struct Unowned: Sendable {
    /// The last process that had its session was over.
    package let ended: Fact
    /// The app lived again.
    package let lived: Fact
    package let attempt: Fact

    package init(ended: Fact, lived: Fact, attempt: Fact) {
      (self.ended, self.lived, self.attempt) = (ended, lived, attempt)
    }
  }
}

extension TaskFacts {
  package var oddities: Oddities { oddityBox?.oddities ?? Oddities() }

  package mutating func remark(_ trait: Traits, _ change: (inout Oddities) -> Void) {
    var oddities = oddities
    change(&oddities)
    oddityBox = OdditiesBox(oddities)
    traits.insert(trait)
  }

  // MARK: What follows from the task's own events

  mutating func noteOutcome(_ outcome: Outcome?, _ fact: Fact) {
    guard let outcome, let earlier = self.outcome, let before = outcomeRecorded, outcome != earlier,
      [.success, .failure].contains(outcome), [.success, .failure].contains(earlier), oddities.contradiction == nil
    else { return }
    remark(.contradicted) { $0.contradiction = Contradiction(first: before, second: fact, wasSuccess: earlier == .success) }
  }

  /// The first completion.
  mutating func noteCompletion(_ event: EventView, _ fact: Fact) {
    if type == .upload, event.error == nil, event.received ?? 0 == 0, adopted != nil, let attempt,
      attempt.received > 0 || attempt.declaredLength ?? 0 > 0
    {
      remark(.answerLost) { $0.answer = AnswerReceipt(received: event.received) }
    }
    if created == nil, listed == nil, adopted == nil { traits.insert(.unannounced) }
  }

  /// Before the bytes are noted. Of all events these are the most, so the attempt is looked at where it stands.
  mutating func noteBytes(_ event: EventView, _ fact: Fact) {
    let isSent = fact.kind == .attemptBytesSent
    guard let now = isSent ? event.sent : event.received, attempt != nil else { return }
    if now < (isSent ? attempt!.sent : attempt!.received) {
      noteFewer(now, isSent: isSent, fact)
    } else if oddityBox != nil {
      noteAfterRetry(now, isSent: isSent, fact)
    }
  }

  private mutating func noteFewer(_ now: Int64, isSent: Bool, _ fact: Fact) {
    guard let attempt, oddities.regress == nil else { return noteAfterRetry(now, isSent: isSent, fact) }
    let (before, last, begun) =
      isSent
      ? (attempt.sent, attempt.lastByteSent, attempt.requestSent) : (attempt.received, attempt.lastByte, attempt.responseReceived)
    guard let last else { return noteAfterRetry(now, isSent: isSent, fact) }
    // Another request or another response begins to count anew.
    if let begun, last.duration(to: begun) ?? .zero > .zero { return }
    remark(.regressed) {
      $0.regress = Regress(before: Count(fact: last, bytes: before), after: Count(fact: fact, bytes: now), isRetry: false)
    }
  }

  private mutating func noteAfterRetry(_ now: Int64, isSent: Bool, _ fact: Fact) {
    guard oddityBox != nil, let earlier = oddities.beforeRetry, oddities.regress == nil, restart == nil else { return }
    // The page of a refusal is no part of the resource.
    if !isSent, let status = attempt?.status, !(200..<300).contains(status) { return }
    let total = (attempt?.offset ?? 0).addingClamped(now)
    remark([]) { $0.beforeRetry = nil }
    guard total < earlier.bytes else { return }
    remark(.regressed) { $0.regress = Regress(before: earlier, after: Count(fact: fact, bytes: total), isRetry: true) }
  }

  /// Before another attempt takes the place of the last.
  mutating func noteRetry() {
    guard let attempt, oddities.regress == nil else { return }
    if attempt.received > 0, let last = attempt.lastByte {
      remark([]) { $0.beforeRetry = Count(fact: last, bytes: attempt.offset.addingClamped(attempt.received)) }
    } else if attempt.sent > 0, let last = attempt.lastByteSent {
      remark([]) { $0.beforeRetry = Count(fact: last, bytes: attempt.offset.addingClamped(attempt.sent)) }
    }
  }

  mutating func noteLabel(_ event: EventView, _ fact: Fact) {
    guard let label = oddities.label else { return }
    switch fact.kind {
    case .taskChanged:
      guard let text = event.label else { return }
      if event.by == nil || event.by == .app {
        remark([]) { $0.label = Label(said: fact, key: text.key) }
      } else {
        remark([]) { $0.label?.overwritten = fact }
      }
    case .taskAdopted:
      let isKnown = label.key != nil && (event.label == nil || event.label?.key != nil)
      guard event.label == nil || event.label?.key != label.key || !isKnown, oddities.relabelled == nil else { return }
      remark(.relabelled) {
        $0.relabelled = Relabelled(
          label: label, adopted: fact, isEmpty: event.label == nil, isKnown: isKnown || event.label == nil)
      }
    default: break
    }
  }

  /// Of a background session's task, when it is made.
  package mutating func noteMade(_ event: EventView, _ fact: Fact, process: Int) {
    if let text = event.label { remark([]) { $0.label = Label(said: fact, key: text.key) } }
    if event.completion == .closure || event.completion == .async { remark(.hasHandler) { $0.handlerProcess = process } }
  }
}
