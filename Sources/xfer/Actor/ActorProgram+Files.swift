import Foundation
import XferEngine
import XferEvents
import XferLogStore
import XferScript

extension ActorProgram {
  // MARK: The downloaded file

  func claim(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    guard let file = context.file else { throw ActorFailure("the callback has no downloaded file") }
    let path = text(arguments.text("to") ?? "", context)
    let replacing = arguments.flag("replacing") ?? true
    do throws(TransferError) {
      switch verb {
      case "move": try file.move(to: path, replacing: replacing)
      case "copy": try file.copy(to: path, replacing: replacing)
      default: close(try file.open())
      }
    } catch {
      throw ActorFailure(error)
    }
  }

  // MARK: Other files

  func changeFile(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    func path(_ key: String = "path") -> String { text(arguments.text(key) ?? "", context) }
    let files = FileManager.default
    do {
      switch verb {
      case "rename": try check(rename(path("from"), path("to")), "rename")
      case "link": try check(link(path("from"), path("to")), "link")
      case "folder": try files.createDirectory(atPath: path(), withIntermediateDirectories: true)
      case "write":
        let bytes = arguments.text("text").map { Data(text($0, context).utf8) } ?? Self.generated(arguments)
        try bytes.write(to: URL(fileURLWithPath: path()))
      case "append":
        // Callbacks of several sessions may append to one file at the same time.
        let descriptor = open(path(), O_WRONLY | O_APPEND | O_CLOEXEC)
        try check(descriptor < 0 ? -1 : 0, "open")
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(path("text").utf8))
      case "mode":
        guard let mode = mode_t(arguments.text("mode") ?? "", radix: 8) else { throw ActorFailure("the mode is not octal") }
        try check(chmod(path(), mode), "chmod")
      default:
        try files.removeItem(atPath: path())
        if arguments.flag("record") == true, let task = identity(arguments, context) {
          log.emit(FileDeleted(task: task, file: path(), by: .app, reason: arguments.text("reason")))
        }
      }
    } catch {
      throw error as? ActorFailure ?? ActorFailure(error.localizedDescription)
    }
  }

  private func check(_ result: Int32, _ call: String) throws(ActorFailure) {
    if result != 0 { throw ActorFailure("\(call): \(String(cString: strerror(errno)))") }
  }
}
