import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferScript

/// Uploads in parts, which later launches continue: what an app must know of them is in its files.
extension ActorProgram {
  func useMultipart(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    func name(_ key: String) -> String? { arguments.text(key).map { text($0, context) } }
    if let name = name("start") { return try begin(name, arguments, context) }
    if let name = name("part") { return try uploadPart(arguments, name, context) }
    if let name = name("complete") { return multipart(name).noteCompleted() }
    if let name = name("abort") { multipart(name).noteAborted() }
  }

  private func multipart(_ name: String) -> MultipartUpload {
    let source = memory.text("multipart-file", name).map { URL(fileURLWithPath: $0) }
    return MultipartUpload(name: name, source: source, sink: log)
  }

  private func begin(_ name: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    guard let url = arguments.text("url").map({ text($0, context) }) else { throw ActorFailure("an upload needs a `url`") }
    memory.keep(url, "multipart-url", name)
    if let file = arguments.text("file") { memory.keep(text(file, context), "multipart-file", name) }
    let parts = arguments.integer("parts") ?? 1
    if parts > 0 {
      guard let path = arguments.text("file").map({ text($0, context) }), let data = FileManager.default.contents(atPath: path)
      else {
        throw ActorFailure("the file of the upload cannot be read")
      }
      let size = max(1, (data.count + parts - 1) / parts)
      for part in 1...parts { memory.keep(Data(data.dropFirst((part - 1) * size).prefix(size)), "multipart-\(part)", name) }
    }
    memory.keep("\(parts)", "multipart-count", name)
    multipart(name).begin(isResumable: arguments.flag("resumable") ?? false)
    if parts > 0 { try upload(1, of: name, memory.path("multipart-1", name), try session(arguments, context)) }
  }

  private func uploadPart(_ arguments: ActorArguments, _ name: String, _ context: ActorContext) throws(ActorFailure) {
    let number = arguments.integer("number") ?? 1
    var path = memory.path("multipart-\(number)", name)
    if arguments.integer("size") != nil { memory.keep(Self.generated(arguments), "multipart-\(number)", name) }
    if let file = arguments.text("file") { path = text(file, context) }
    try upload(number, of: name, path, try session(arguments, context))
  }

  private func upload(_ number: Int, of name: String, _ path: String, _ session: TransferSession) throws(ActorFailure) {
    guard let url = memory.text("multipart-url", name) else { throw ActorFailure("the upload \(name) was not begun") }
    let label = "\(name)-\(number)"
    do throws(TransferError) {
      let task = try multipart(name).uploadTask(
        forPart: number, with: HTTPRequest(method: .put, urlText: "\(url)?part=\(number)"), fromFile: URL(fileURLWithPath: path),
        in: session, options: TransferSession.TaskOptions(taskDescription: label))
      state.withLock { state in
        state.tasks[label] = task
        state.identities[label] = task.identity
      }
      task.resume()
    } catch {
      throw ActorFailure(error)
    }
  }

  /// Notes that a part was stored, and uploads the next one, or calls the callback `multipart` after the last one.
  func continueMultipart(_ task: TransferTask, _ error: TransferError?) {
    guard let name = task.metadata[MultipartUpload.nameKey],
      let number = multipart(name).noteCompletion(of: task, error: error),
      let count = memory.text("multipart-count", name).flatMap({ Int($0) }), count > 0
    else { return }
    if number >= count { return react(.multipart, ActorContext(session: task.session, task: task, count: number)) }
    do throws(ActorFailure) {
      try upload(number + 1, of: name, memory.path("multipart-\(number + 1)", name), task.session)
    } catch {
      note("multipart: \(error.problem)")
    }
  }
}
