import Dispatch
import Foundation
import Synchronization
import XferEngine
import XferScript

extension ActorProgram {
  /// Carries out one action.
  func act(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    switch verb {
    case "session": createSession(arguments, context)
    case "invalidate":
      let session = try session(arguments, context)
      if arguments.flag("cancel") == true { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
    case "release": release(try session(arguments, context))
    case "query": try query(arguments, context)
    case "download", "upload", "data": try createTask(verb, arguments, context)
    case "resume": try task(arguments, context).resume()
    case "suspend": try task(arguments, context).suspend()
    case "cancel": try cancel(arguments, context)
    case "describe": try describe(arguments, context)
    case "hand-off": try handOff(arguments, context)
    case "keep-resume-data": try keepResumeData(arguments, context)
    case "corrupt-resume-data": try corruptResumeData(arguments, context)
    case "discard-resume-data": memory.discard("resume", text(arguments.text("as") ?? "", context))
    case "remember": for (name, value) in arguments.pairs("values") { memory.keep(text(value, context), "value", name) }
    case "store-handler": try storeHandler(arguments, context)
    case "call-handler": try callHandler(arguments, context)
    case "answer":
      guard let answer = context.answer else { throw ActorFailure("the callback expects no answer; remove `answer`") }
      answer(arguments, context)
    case "move", "copy", "open-file": try claim(verb, arguments, context)
    case "rename", "link", "write", "append", "mode", "folder", "delete": try changeFile(verb, arguments, context)
    case "begin-time", "end-time", "deadman", "beat", "trigger", "state": try keepTime(verb, arguments, context)
    case "crash", "exit", "hang", "block", "spin", "lock", "unlock", "wait", "close-log", "sync-log":
      try fail(verb, arguments, context)
    case "multipart": try useMultipart(arguments, context)
    case "do": run(arguments.steps("steps"), context)
    case "default": if let callback = context.callback { runDefault(callback, context) }
    case "leave": break
    default: try record(verb, arguments, context)
    }
  }

  // MARK: Completion handlers

  private func storeHandler(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    guard let handler = context.completionHandler, let identifier = context.identifier else {
      throw ActorFailure("only handle-events has a completion handler")
    }
    let slot = arguments.text("as").map { text($0, context) } ?? identifier
    // The old handler is released outside of the lock, because its end logs an event.
    let old = state.withLock { $0.handlers.updateValue(handler, forKey: slot) }
    withExtendedLifetime(old) {}
  }

  private func callHandler(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let named = arguments.text("session").map { text($0, context) }
    let slot = named ?? sessionName(context) ?? ""
    let keeps = arguments.flag("again") == true
    let identifier = (try? held(slot, context))?.session.name ?? slot
    let stored = state.withLock { state -> (@Sendable () -> Void)? in
      for key in [slot, identifier] {
        if let handler = state.handlers[key] {
          if !keeps { state.handlers[key] = nil }
          return handler
        }
      }
      return nil
    }
    if let handler = stored ?? (named == nil ? context.completionHandler : nil) { return handler() }
    // An app that was not woken has no handler to call.
    if named != nil { throw ActorFailure("no completion handler of \(slot) is stored") }
  }
}
