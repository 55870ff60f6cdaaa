import XferEvents
import XferLogStore

/// The daemon wakes the app for its finished downloads, and the app never calls the completion handler.
///
/// The events are written one by one without a daemon, and the log states that it is synthetic.
enum MissedHandler {
  static let sample = Sample(
    "missed-completion-handler", fault: "a wake whose completion handler is never called (synthetic)",
    rule: "missed-completion-handler", .synthetic { try tell(in: $0, callingHandler: false) })

  static let nearMiss = Sample(
    "completion-handler-called", fault: "the same wake, with its completion handler called (synthetic)",
    .synthetic { try tell(in: $0, callingHandler: true) })

  private static func tell(in log: String, callingHandler: Bool) throws {
    let device = SyntheticDevice(directory: log)
    let story = BackgroundStory(device)
    let daemon = try device.start(story.daemon)
    daemon.emit(DaemonStarted(generation: 1, version: "0.1.0"))

    device.at(.seconds(10))
    let first = try device.start(story.firstLaunch)
    story.ask(first, daemon)
    device.at(.seconds(20))
    first.emit(ProcessStateChanged(state: .background))
    // The app exits by itself, because an app that the user quits would not be woken.
    first.close(exitCode: 0, reason: .exitCall)
    daemon.emit(LinkDisconnected(peer: story.firstLaunch.launch, generation: 1))

    device.at(.seconds(40))
    for download in story.downloads { download.finish(daemon) }
    story.wake(daemon)
    device.at(.milliseconds(41_200))
    let second = try device.start(story.secondLaunch)
    story.deliver(to: second, from: daemon)
    for download in story.downloads { download.deliver(to: second, from: daemon) }
    story.finishEvents(second)
    if callingHandler { story.callHandler(second) }
    device.at(.seconds(44))
    second.close()

    daemon.emit(LinkDisconnected(peer: story.secondLaunch.launch, generation: 1))
    device.at(.seconds(60))
    daemon.emit(DaemonExited(generation: 1, reason: "stopped"))
    daemon.close()
  }
}
