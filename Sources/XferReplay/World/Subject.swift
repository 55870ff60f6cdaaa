import XferEvents
import XferLifecycle

/// An object that events change and that rules evaluate.
package enum Subject: Hashable, Sendable {
  /// The associated values are indexes in the world's tables.
  case task(Int)
  case session(Int)
  case wake(Int)
  case process(Int)
  case keepalive(Int)
  case intent(Int)
  case upload(Int)
  case boot(Int)
  case gap(Int)
  case log

  package enum Kind: Int, CaseIterable, Sendable {
    case task, session, wake, process, keepalive, intent, upload, boot, gap, log
  }

  package var kind: Kind {
    switch self {
    case .task: .task
    case .session: .session
    case .wake: .wake
    case .process: .process
    case .keepalive: .keepalive
    case .intent: .intent
    case .upload: .upload
    case .boot: .boot
    case .gap: .gap
    case .log: .log
    }
  }

  package var index: Int {
    switch self {
    case .task(let index), .session(let index), .wake(let index), .process(let index), .keepalive(let index),
      .intent(let index), .upload(let index), .boot(let index), .gap(let index):
      index
    case .log: 0
    }
  }
}

extension World {
  /// Returns all subjects of a kind, in the order of first mention.
  package func subjects(of kind: Subject.Kind) -> [Subject] {
    switch kind {
    case .task: tasks.indexes.map(Subject.task)
    case .session: sessions.indices.map(Subject.session)
    case .wake: wakes.indices.map(Subject.wake)
    case .process: processes.indices.map(Subject.process)
    case .keepalive: keepalives.indices.map(Subject.keepalive)
    case .intent: intents.indexes.map(Subject.intent)
    case .upload: uploads.indexes.map(Subject.upload)
    case .boot: boots.indices.map(Subject.boot)
    case .gap: gaps.indices.map(Subject.gap)
    case .log: processes.isEmpty ? [] : [.log]
    }
  }

  /// Returns the index of the process life in whose log further events about a subject are expected; `nil` if unknown.
  package func process(of subject: Subject) -> Int? {
    switch subject {
    case .task(let place): tasks.lifecycles[place].process
    case .session(let place): sessions[place].process
    case .wake(let place): wakes[place].place
    case .process(let place): place
    case .keepalive(let place): keepalives[place].process
    case .intent(let place): intents[place].process
    case .upload(let place): uploads[place].process
    case .boot(let place): boots[place].process
    case .gap(let place): gaps[place].launch.flatMap { launch in processes.firstIndex { $0.launch == launch } }
    case .log: nil
    }
  }

  /// Returns the generation of a subject's index, and the index of the process life in whose log further events are expected.
  ///
  /// Not inlined, so that callers which are changing the world do not copy it.
  @inline(never)
  package func standing(of subject: Subject) -> (generation: UInt32, process: Int?) {
    (generation(of: subject), process(of: subject))
  }

  /// Returns the generation of a subject's index. The index was reused if its generation has changed.
  package func generation(of subject: Subject) -> UInt32 {
    switch subject {
    case .task(let place): tasks.place(place).generation
    case .intent(let place): intents.place(place).generation
    case .upload(let place): uploads.place(place).generation
    case .session, .wake, .process, .keepalive, .boot, .gap, .log: 0
    }
  }
}
