#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A finished file whose bytes may not be on the disk yet. Keeps the descriptor that wrote the bytes open until they are
/// synchronised.
final class UnsynchronisedFile: Sendable {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  func begin() { DurableFile.beginSync(descriptor: descriptor) }

  func sync() throws(TransferError) { try DurableFile.sync(descriptor: descriptor, path: path) }

  deinit { close(descriptor) }
}

/// A queue that synchronises the files of finished downloads on a separate thread, so that the engine's thread rarely waits for
/// the disk.
///
/// While one batch is synchronised, the next accumulates. All files of a batch start writing before the first is synchronised,
/// so that one commit of the file system's journal usually covers the whole batch.
final class FileSynchroniser: Sendable {
  private struct Job: Sendable {
    let outcome: TaskOutcome
    let completion: @Sendable (TaskOutcome) -> Void
  }

  /// The maximum number of waiting files, each of which has an open descriptor. When the queue is full, the engine's thread
  /// synchronises files itself.
  private static let limit = 64

  private let jobs = BatchQueue<Job>(label: "xfer.synchroniser") { batch in
    for job in batch { job.outcome.file?.unsynchronised?.begin() }
    for job in batch { job.completion(job.outcome.synchronised()) }
  }

  /// Calls `completion` once the outcome's file is on the disk, or with an error if synchronising failed.
  ///
  /// Calls `completion` immediately if the outcome has no file to synchronise.
  func finish(_ outcome: TaskOutcome, _ completion: @escaping @Sendable (TaskOutcome) -> Void) {
    guard outcome.file?.unsynchronised != nil else { return completion(outcome) }
    if !jobs.add(Job(outcome: outcome, completion: completion), limit: Self.limit) { completion(outcome.synchronised()) }
  }
}

extension TaskOutcome {
  /// Synchronises the outcome's file and returns the outcome. If synchronising fails, removes the file and returns the error
  /// instead.
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
