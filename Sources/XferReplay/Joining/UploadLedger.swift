import XferEvents
import XferLifecycle

/// The responses to resumable uploads, by address. Each part of such an upload is a task of its own.
struct UploadLedger: Sendable {
  private struct Upload {
    var known: TaskLifecycle.KnownUpload?
    /// The task whose request conflicted with the server's offset, until another request for the same upload follows.
    var conflict: (place: TaskTable.Place, response: Fact)?
  }

  private var uploads: [Address: Upload] = [:]
  /// The addresses in order of insertion, without repetitions.
  private var order = Ring<Address>()

  private static let limit = 1024

  /// Notes an attempt of a resumable upload that has ended.
  mutating func note(_ task: Int, in world: inout World) {
    let lifecycle = world.tasks[task]
    guard let answer = lifecycle.incidents.upload, answer.response == lifecycle.attempt?.responseReceived,
      let address = Address(of: lifecycle)
    else { return }
    if uploads[address] == nil {
      order.append(address)
      if order.count > Self.limit, let oldest = order.popFirst() { uploads[oldest] = nil }
    }
    var upload = uploads[address] ?? Upload()
    if let earlier = upload.conflict, earlier.place != world.tasks.place(task), world.tasks.isCurrent(earlier.place) {
      world.tasks[changing: Int(earlier.place.index)].facts.join(nextUpload: answer.response)
      world.touched.append(.task(Int(earlier.place.index)))
    }
    world.tasks[changing: task].facts.join(upload: upload.known, conflict: upload.conflict?.response)
    upload.conflict = answer.isConflict ? (world.tasks.place(task), answer.response) : nil
    if 200..<300 ~= answer.status {
      upload.known = .init(response: answer.response, expires: answer.expires ?? upload.known?.expires)
    }
    uploads[address] = upload
  }
}
