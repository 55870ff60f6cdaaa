#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A finished file whose bytes may still be in memory only. It keeps the descriptor that wrote them until they are on the disk.
final class UnsynchronisedFile: Sendable {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  func begin() { DurableFile.beginSync(descriptor: descriptor) }

  func sync() throws(TransferError) { try DurableFile.sync(descriptor: descriptor, path: path) }

  deinit { close(descriptor) }
}

/// Synchronises the files of finished downloads on a thread of its own, so that the engine's thread never waits for the disk.
///
/// While one batch is synchronised, the next one gathers. Writing begins for all files of a batch before the first is waited for: then
/// one commit of the journal usually serves all of them.
final class FileSynchroniser: Sendable {
  private struct Job: Sendable {
    let outcome: TaskOutcome
    let completion: @Sendable (TaskOutcome) -> Void
  }

  /// Each waiting file has a descriptor open; above this number the engine waits for the disk.
  private static let limit = 64

  private let jobs = BatchQueue<Job>(label: "xfer.synchroniser") { batch in
    for job in batch { job.outcome.file?.unsynchronised?.begin() }
    for job in batch { job.completion(job.outcome.synchronised()) }
  }

  /// Calls with the outcome once its file is on the disk, or with the error of a file that could not be brought there. Calls at once
  /// when there is nothing to synchronise.
  func finish(_ outcome: TaskOutcome, _ completion: @escaping @Sendable (TaskOutcome) -> Void) {
    guard outcome.file?.unsynchronised != nil else { return completion(outcome) }
    if !jobs.add(Job(outcome: outcome, completion: completion), limit: Self.limit) { completion(outcome.synchronised()) }
  }
}

extension TaskOutcome {
  /// Waits until the file is on the disk. A file that cannot be brought there is removed, and the outcome has the error instead.
  func synchronised() -> TaskOutcome {
    guard let file, let unsynchronised = file.unsynchronised else { return self }
    var outcome = self
    do throws(TransferError) {
      try unsynchronised.sync()
      outcome.file?.unsynchronised = nil
    } catch {
      file.remove()
      (outcome.file, outcome.content, outcome.error) = (nil, nil, error)
    }
    return outcome
  }
}
