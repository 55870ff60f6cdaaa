import XferEvents

/// The fields of events.
enum EventFields {
  /// The properties that all events have.
  private static let properties: [QueryField] = [
    QueryField("time", also: ["timestamp", "date", "wall"], .time, .property(.time), "The wall-clock time of the event."),
    QueryField(
      "mono", also: ["machTimestamp"], .duration, .property(.monotonic),
      "The time on the clock that stops while the machine sleeps, comparable only within one boot."),
    QueryField(
      "boottime", .duration, .property(.boottime), "The time on the clock that goes on while the machine sleeps."),
    QueryField("level", also: ["messageType", "logType"], .level, .property(.level), "The level of the event."),
    QueryField("event", also: ["kind"], .eventName, .property(.event), "The name of the event, such as task.completed."),
    QueryField("eventFamily", .text, .property(.family), "The first part of the event's name, such as task."),
    QueryField(
      "eventMessage", also: ["message", "composedMessage", "msg"], .text, .property(.message),
      "The message of the event, as `xferlog show` prints it."),
    QueryField(
      "thread", also: ["threadID", "threadIdentifier", "tid"], .count, .property(.thread), "The kernel's number of the thread."),
    QueryField("task", .task, .property(.task), "The task: session/number, the number alone, or the uid."),
    QueryField("uid", .text, .property(.taskUID), "The uid of the task."),
    QueryField(
      "number", also: ["taskNumber", "taskIdentifier"], .count, .property(.taskNumber), "The number of the task in its session."),
    QueryField("session", .text, .property(.session), "The session of the event or of its task."),
    QueryField(
      "process", also: ["processImagePath", "senderImagePath"], .text, .property(.processName),
      "The program that wrote the event."),
    QueryField(
      "processID", also: ["processIdentifier", "pid"], .count, .property(.processID), "The process id of the writer."),
    QueryField("role", .choice("WriterRole"), .property(.role), "The role of the process that wrote the event."),
    QueryField("launch", .text, .property(.launch), "The process life that wrote the event."),
    QueryField("boot", .text, .property(.boot), "The boot of the machine in which the event was written."),
    QueryField("place", .text, .property(.place), "The place of the event: segment/lane/seq, or file:line of a foreign log."),
    QueryField("source", .text, .property(.file), "The file that contains the event."),
  ]

  /// The synonyms of fields of the vocabulary.
  private static let synonyms: [FieldID: [String]] = [
    .received: ["bytes"], .error: ["errorCode"], .activity: ["activityIdentifier"], .signpost: ["signpostID"],
    .host: ["hostname"], .name: ["signpostName"], .status: ["statusCode"],
  ]

  static let all: [QueryField] = {
    var taken = Set(properties.flatMap { [$0.name] + $0.synonyms })
    let fields = FieldID.allCases.map { id -> QueryField in
      let definition = id.definition
      let isTaken = taken.contains(definition.name)
      // Every field can be named with a prefix, which some need because a property has its name.
      let prefixed = "fields.\(definition.name)"
      let others = (synonyms[id] ?? []).filter { taken.insert($0).inserted }
      return QueryField(
        isTaken ? prefixed : definition.name, also: isTaken ? others : [prefixed] + others, ValueType(definition.type),
        .vocabulary(id),
        definition.summary)
    }
    return properties + fields
  }()
}

extension ValueType {
  /// The type of the values of a field of the vocabulary.
  init(_ type: FieldType) {
    switch type {
    case .bytes: self = .bytes
    case .count, .number: self = .count
    case .duration: self = .duration
    case .wallTime: self = .time
    case .flag: self = .flag
    case .choice(let list): self = .choice(list)
    case .task: self = .task
    case .tasks, .launch, .boot, .delivery, .handler, .correlation, .digest, .symbol, .text, .message: self = .text
    }
  }
}
