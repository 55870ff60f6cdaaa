import XferEvents

extension TaskTeller {
  /// The error with which the task ends; `nil` without an error.
  private var error: (domain: ErrorDomain, number: Int, name: String)? {
    switch ending {
    case .success, .notFound, .none: nil
    case .transport: (.curl, 56, "recvError")
    case .timeout: (.curl, 28, "operationTimedOut")
    case .cancelled, .invalidated: (.curl, 42, "cancelled")
    }
  }

  mutating func transfer(_ scene: Scene, _ story: inout Story) -> [Move] {
    if answeredFromCache, !isCancelled, carrier == nil, ending == .success { note(received: size, status: 200) }
    if carrier != nil, ending == .success { note(received: size, status: 200) }
    var moves: [Move] = []
    if attempt == 0, carrier == nil, ending == .success {
      moves.append(
        .tell(
          scene.engine,
          CacheAnswered(task: task, resource: resource, cacheAnswer: .fresh, status: 200, size: size, age: .seconds(5))))
    }
    moves.append(
      .tell(
        scene.engine,
        TaskTransferred(
          task: task, received: attempt == 0 ? received : receivedLast, sent: sentBytes, status: lastStatus,
          domain: error?.domain,
          error: error?.number, errorName: error?.name)))
    return moves
  }

  /// Returns the events from the end of the transfer to the app's receipt of the completion.
  mutating func complete(_ scene: Scene, _ story: inout Story) -> [Move] {
    guard let app = scene.app, let delegate = scene.delegate else { preconditionFailure("a completion needs the app") }
    _ = app
    var moves: [Move] = []
    if type == .download, ending == .success || ending == .notFound, attempt > 0 { moves += hand(scene, delegate, &story) }
    if story.chance(2) {
      moves += Story.callback(
        .didFinishCollectingMetrics, story.delivery(), of: task, from: scene.engine, to: delegate)
    }
    let isFirst = completionDelivery == nil
    let done = completionDelivery ?? story.delivery()
    completionDelivery = done
    if !isFirst { story.note(.redelivery) }
    moves += Story.callback(
      .didComplete, done, of: task, from: scene.engine, to: delegate, redelivered: isFirst ? nil : true, within: outcome(delegate)
    )
    moves.append(
      .tell(
        delegate,
        TaskCompleted(
          task: task, delivery: done, received: received, sent: sentBytes, status: lastStatus, domain: error?.domain,
          error: error?.number, errorName: error?.name, cancelReason: isCancelled ? CancelReason.none : nil,
          resumeData: resumeOffer)))
    return moves
  }

  private func outcome(_ delegate: Pen) -> [Move] {
    guard recordsOutcome, intent != nil || ending == .notFound, !isCancelled else { return [] }
    let outcome: Outcome =
      switch ending {
      case .success: .success
      case .cancelled, .invalidated: .cancelled
      case .notFound, .transport, .timeout, .none: .failure
      }
    return [.tell(delegate, AppOutcomeRecorded(intent: intent, task: task, outcome: outcome))]
  }

  private mutating func hand(_ scene: Scene, _ delegate: Pen, _ story: inout Story) -> [Move] {
    let isAgain = fileDelivery != nil
    if isAgain, !story.chance(2) { return [] }
    let file = fileDelivery ?? story.delivery()
    fileDelivery = file
    let inode = Int64(story.identifier() & 0xFFFF_FFFF)
    let offered = FileOffered(task: task, delivery: file, file: "/tmp/\(inode)", inode: inode, size: received, exists: true)
    var moves: [Move] = [
      .tell(
        scene.engine, DeliverySent(task: task, delivery: file, callback: .didFinishDownloading, redelivered: isAgain ? true : nil)
      ),
      .tell(isBackground ? delegate : scene.engine, offered),
    ]
    // The app does not claim an error page.
    if ending == .notFound {
      moves += Story.callback(.didFinishDownloading, file, of: task, from: scene.engine, to: delegate, isSent: true)
      if story.chance(2) {
        moves.append(.tell(delegate, FileUnclaimed(task: task, delivery: file, inode: inode, size: received)))
      }
      return moves + [.tell(delegate, FileReaped(task: task, inode: inode, size: received))]
    }
    var taking: [Move] = [
      .tell(
        delegate,
        FileClaimed(
          task: task, delivery: file, operation: story.pick([.move, .copy, .open, .link]), destination: "/kept/\(inode)",
          inCallback: true, size: received))
    ]
    if story.chance(6) {
      taking.append(.tell(delegate, FileClaimed(task: task, delivery: file, operation: .copy, inCallback: true, size: received)))
    }
    moves += Story.callback(
      .didFinishDownloading, file, of: task, from: scene.engine, to: delegate, isSent: true, within: taking)
    if story.chance(4) { moves.append(.tell(delegate, FileReaped(task: task, inode: inode, size: received))) }
    return moves
  }

  /// Returns the events of a delivery in a life that ends before it acknowledges the completion.
  mutating func interrupted(_ scene: Scene, _ story: inout Story) -> [Move] {
    let delegate = scene.delegate!
    var moves: [Move] = [
      .pause(story.briefly()), .tell(scene.app!, TaskAdopted(task: task, launch: scene.launch, label: "label")),
    ]
    if type == .download, ending == .success || ending == .notFound, attempt > 0 {
      if story.chance(2) {
        let file = story.delivery()
        fileDelivery = file
        let inode = Int64(story.identifier() & 0xFFFF_FFFF)
        moves.append(.tell(scene.engine, DeliverySent(task: task, delivery: file, callback: .didFinishDownloading)))
        if story.chance(2) { return moves }
        moves.append(.tell(delegate, DeliveryReceived(task: task, delivery: file, callback: .didFinishDownloading)))
        moves.append(
          .tell(
            delegate, FileOffered(task: task, delivery: file, file: "/tmp/\(inode)", inode: inode, size: received, exists: true)))
        return moves
      }
      moves += hand(scene, delegate, &story)
    }
    let done = story.delivery()
    completionDelivery = done
    moves.append(.tell(scene.engine, DeliverySent(task: task, delivery: done, callback: .didComplete)))
    let steps = story.number(0...3)
    if steps > 0 { moves.append(.tell(delegate, DeliveryReceived(task: task, delivery: done, callback: .didComplete))) }
    if steps == 1, story.chance(2) {
      moves.append(.tell(delegate, DeliveryEntered(task: task, delivery: done, callback: .didComplete, queue: "delegate")))
    }
    if steps > 1 {
      moves.append(
        .callback(
          queue: "\(delegate.writer) \(task.session)",
          [
            .tell(delegate, DeliveryEntered(task: task, delivery: done, callback: .didComplete, queue: "delegate")),
            .tell(delegate, DeliveryLeft(task: task, delivery: done, callback: .didComplete)),
          ]))
    }
    if steps > 2 {
      moves.append(
        .tell(
          delegate,
          TaskCompleted(
            task: task, delivery: done, received: received, status: lastStatus, domain: error?.domain, error: error?.number,
            errorName: error?.name)))
    }
    return moves
  }
}
