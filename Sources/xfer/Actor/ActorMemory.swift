import Foundation
import Synchronization

/// The files in which a scripted app keeps values and data for its later launches.
struct ActorMemory: Sendable {
  let folder: String

  init(_ folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func path(_ kind: String, _ name: String) -> String {
    "\(folder)/\(kind)-"
      + name.utf8.map { byte in
        let scalar = UnicodeScalar(byte)
        return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? String(scalar) : "_\(byte)"
      }.joined()
  }

  /// Counts this launch, and returns its number from 1.
  func countLaunch() -> Int {
    let number = (text("count", "launches").flatMap { Int($0) } ?? 0) + 1
    keep("\(number)", "count", "launches")
    return number
  }

  func keep(_ text: String, _ kind: String, _ name: String) { keep(Data(text.utf8), kind, name) }

  func text(_ kind: String, _ name: String) -> String? { data(kind, name).map { String(decoding: $0, as: UTF8.self) } }

  func keep(_ data: Data, _ kind: String, _ name: String) {
    try? data.write(to: URL(fileURLWithPath: path(kind, name)), options: .atomic)
  }

  func data(_ kind: String, _ name: String) -> Data? { FileManager.default.contents(atPath: path(kind, name)) }

  func discard(_ kind: String, _ name: String) { try? FileManager.default.removeItem(atPath: path(kind, name)) }

  /// Appends a problem to the list that is shown when a scenario fails.
  func note(_ problem: String) {
    let descriptor = open("\(folder)/problems", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = Array("\(problem)\n".utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
