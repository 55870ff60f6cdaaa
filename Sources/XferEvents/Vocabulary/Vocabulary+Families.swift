extension Vocabulary {
  package static let families: [FamilyDefinition] = [
    .init("log", subject: nil, model: .log, writers: .all, "The writer's events about its own log."),
    .init("clock", subject: nil, model: .boot, writers: .all, "Samples of the three clocks."),
    .init(
      "process", subject: "launch", model: .process, writers: .all, "The start, the state changes and the end of process lives."),
    .init("daemon", subject: nil, model: .daemon, writers: .daemon, "The generations of the transfer daemon."),
    .init("link", subject: "peer", model: .link, writers: .engines, "The connection between an app and the daemon."),
    .init(
      "session", subject: "instance", model: .session, required: "session",
      "Session objects and their connection to the daemon."),
    .init(
      "wake", subject: "handler", model: .wake, writers: .apps, required: "session",
      "The wake of an app for its events, and its completion handler."),
    .init(
      "task", subject: "task", model: .task, required: "task", isOrdered: true,
      "A task, from its creation until it is forgotten."),
    .init(
      "attempt", subject: "task", model: .attempt, required: "task attempt", isOrdered: true, "One attempt of a task."),
    .init(
      "file", subject: "task", model: .file, required: "task", isOrdered: true,
      "The downloaded or uploaded file of a task."),
    .init(
      "delivery", subject: "delivery", model: .delivery, writers: .apps, required: "delivery callback", isOrdered: true,
      "One callback, from the moment it is queued until the app's code returns."),
    // The app writes about many subjects, so each event names its model.
    .init("app", subject: nil, model: nil, writers: .apps, "The app's own account of its intents, work and state."),
    .init(
      "assertion", subject: "assertion", model: .assertion, writers: .apps, required: "assertion",
      "Background time that the app asked for."),
    .init(
      "deadman", subject: "deadman", model: .alarm, required: "deadman",
      "A dead man's switch, which fires unless the app arms it again in time."),
    .init(
      "trigger", subject: "trigger", model: .trigger, required: "trigger",
      "Reasons other than transfers to launch an app, such as regions, pushes and timers."),
    .init("network", subject: nil, model: .network, "The network path."),
    .init("power", subject: nil, model: .condition, "The power supply and the battery."),
    .init("disk", subject: nil, model: .storage, "Free space, and files that were found or could not be opened."),
    .init("protection", subject: nil, model: .condition, "Whether the device is locked, so that protected files cannot be read."),
    .init("policy", subject: nil, model: .condition, "Policies that the user can change."),
    .init(
      "multipart", subject: "upload", model: .upload, writers: .apps, required: "upload", isOrdered: true,
      "A multipart upload."),
    .init("message", subject: nil, model: .unconsumed, writers: .all, "Messages in words, at a level that the code chooses."),
    .init(
      "signpost", subject: "signpost", model: .unconsumed, writers: .all, required: "signpost name",
      "Intervals and points that code marks for measurements."),
    .init(
      "activity", subject: "activity", model: .unconsumed, writers: .all, required: "activity name",
      "Stretches of work to which messages and signposts belong."),
    .init(
      "cache", subject: nil, model: .unconsumed, writers: .engines,
      "Responses that are stored and reused."),
    .init(
      "import", subject: nil, model: .unconsumed, writers: .tool,
      "The files, writers, lines and gaps from which `xferlog import` converted a log."),
  ]
}
