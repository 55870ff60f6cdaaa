import Foundation
import Synchronization
import XferEngine

/// The output for a body that is not saved by a download task: standard output, a device or pipe, or a file that appears only
/// when it is complete.
final class OutputFile: Sendable {
  enum Target: Sendable {
    case standardOutput
    case nothing
    /// - Parameter existing: The treatment of an existing file with this name.
    case file(String, FilePlacement.ExistingFile)
  }

  private struct State {
    var descriptor: Int32
    /// The path of the temporary file. `nil` when bytes are written directly to their destination.
    var temporaryPath: String?
  }

  private let target: Target
  private let state: Mutex<State>

  init(_ target: Target) throws(TransferResult.Problem) {
    self.target = target
    var opened = State(descriptor: -1, temporaryPath: nil)
    switch target {
    case .standardOutput: opened.descriptor = STDOUT_FILENO
    case .nothing: break
    case .file(let path, _) where FileKind(path) == .special:
      opened.descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard opened.descriptor >= 0 else { throw .writing("\(path) cannot be opened", errno) }
    case .file(let path, let existing):
      if existing == .kept, FileKind(path) != .nothing { throw .writing("\(path) already exists", EEXIST) }
      let passing = Self.makeTemporaryPath(path)
      opened.descriptor = open(passing, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      guard opened.descriptor >= 0 else { throw .writing("\(path) cannot be created", errno) }
      opened.temporaryPath = passing
    }
    state = Mutex(opened)
  }

  private static func makeTemporaryPath(_ path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { path[...$0] } ?? ""
    return "\(directory).xfer-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
  }

  func write(_ data: Data) throws(TransferResult.Problem) {
    let descriptor = state.withLock { $0.descriptor }
    guard descriptor >= 0 else { return }
    try Descriptor.put(data, to: descriptor)
  }

  /// Moves the completed file to its destination.
  ///
  /// - Parameters:
  ///   - mode: The file's permissions.
  ///   - modified: The file's modification time, in seconds since 1970. `nil` means now.
  ///   - synchronises: Whether to sync the file's bytes before it is renamed. The caller must sync the directory.
  /// - Returns: The path of the file, or `nil` for an output that is not a file.
  func commit(mode: mode_t, modified: Int?, synchronises: Bool = false) throws(TransferResult.Problem) -> String? {
    let (descriptor, passing) = take()
    guard case .file(let path, let existing) = target else { return nil }
    guard let passing else {
      close(descriptor)
      return path
    }
    fchmod(descriptor, mode)
    if synchronises {
      do throws(TransferError) {
        try DurableFile.sync(descriptor: descriptor, path: path)
      } catch {
        close(descriptor)
        unlink(passing)
        throw .init(error)
      }
    }
    guard close(descriptor) == 0 else { throw .writing("\(path) cannot be written", errno) }
    if let modified { FileTimes.set(modified, path: passing) }
    var placement = FilePlacement(
      source: passing, destination: path, existing: existing, tag: "output", synchronises: synchronises)
    let result = placement.move()
    guard result == 0 else {
      unlink(passing)
      throw .writing("\(path) cannot be written", result)
    }
    return placement.destination
  }

  /// Discards the written bytes.
  func abandon() {
    let (descriptor, passing) = take()
    guard case .file = target else { return }
    if descriptor >= 0 { close(descriptor) }
    if let passing { unlink(passing) }
  }

  private func take() -> (descriptor: Int32, temporaryPath: String?) {
    state.withLock { state in
      defer { state = State(descriptor: -1, temporaryPath: nil) }
      return (state.descriptor, state.temporaryPath)
    }
  }
}

extension OutputFile {
  /// Writes a text to a file that appears only when it is complete. `-` means standard output.
  static func put(_ text: String, at path: String, mode: mode_t) throws(TransferResult.Problem) {
    let output = try OutputFile(path == "-" ? .standardOutput : .file(path, .replaced))
    do throws(TransferResult.Problem) {
      try output.write(Data(text.utf8))
      _ = try output.commit(mode: mode, modified: nil)
    } catch {
      output.abandon()
      throw error
    }
  }
}

enum FileTimes {
  /// Sets the modification time. A time that the file system cannot store is ignored.
  static func set(_ seconds: Int, path: String) {
    let date = Date(timeIntervalSince1970: TimeInterval(seconds))
    try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }
}
