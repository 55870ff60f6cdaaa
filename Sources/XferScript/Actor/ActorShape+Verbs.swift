extension ActorShape {
  /// The actions of a scripted app and their keys.
  static let verbs: [String: ActorShape] = sessionVerbs.merging(taskVerbs) { $1 }.merging(fileVerbs) { $1 }
    .merging(recordVerbs) { $1 }.merging(timeVerbs) { $1 }.merging(controlVerbs) { $1 }

  private static let count = Kind.integer(0...1_000_000)
  private static let bytes = ActorShape(
    keys: ["size": .size, "seed": count], required: ["size"], example: "{ size: 10kB, seed: 1 }")

  private static let settings = ActorShape(
    keys: [
      "discretionary": .flag, "launch-events": .flag, "extended-idle": .flag, "container": .text, "log-name": .text,
      "request-timeout": .limit, "resource-timeout": .limit, "connection-timeout": .limit,
      "timeout-origin": .choice(["connection", "resume"]), "connections-per-host": .integer(0...1024),
      "connections": .integer(0...1024),
      "headers": .pairs, "redirect-limit": .integer(0...1000), "follows-redirects": .flag, "cellular": .flag, "expensive": .flag,
      "constrained": .flag, "waits-for-connectivity": .flag, "receive-rate": .size, "send-rate": .size,
      "retries": .integer(0...1000),
      "retry-delay": .duration, "retries-unsafe": .flag, "cache": .flag, "cache-policy": cachePolicy, "maximum-body": .size,
      "keeps-partial": .flag, "digests": .flag, "synchronises": .flag, "coalesces": .flag, "any-server": .flag,
      "asks-about-trust": .flag, "temporary-directory": .text, "sends-unasked": .flag,
      "credential": .shape(
        ActorShape(
          keys: ["user": .text, "password": .text], required: ["user", "password"], example: "{ user: me, password: secret }")),
    ], example: "{ discretionary: true }")

  private static let cachePolicy = Kind.choice([
    "useProtocolCachePolicy", "reloadIgnoringLocalCacheData", "returnCacheDataElseLoad", "returnCacheDataDontLoad",
    "reloadRevalidatingCacheData",
  ])

  private static let sessionVerbs: [String: ActorShape] = [
    "session": ActorShape(
      single: "identifier",
      keys: [
        "name": .text, "kind": .choice(["background", "default", "ephemeral"]), "identifier": .text, "delegate": .optionalText,
        "queue": .choice(["main", "own", "concurrent"]), "settings": .shape(settings),
      ], example: "session: com.example.reader"),
    "invalidate": ActorShape(
      single: "session", keys: ["session": .text, "cancel": .flag], isOptional: true, example: "invalidate: work"),
    "release": ActorShape(single: "session", keys: ["session": .text], isOptional: true, example: "release: work"),
    "query": ActorShape(
      single: "session", keys: ["session": .text, "then": .steps, "each": .steps], isOptional: true, example: "query: work"),
  ]

  private static let intent = ActorShape(
    single: "key",
    keys: [
      "key": .text, "step": .text, "durable": .flag, "bind": .text, "declared": .choice(["before", "after"]),
    ], required: ["key"], example: "{ key: pot-7, step: fetch }")

  private static let task: [String: Kind] = [
    "url": .text, "session": .text, "as": .text, "description": .optionalText, "method": .text, "headers": .pairs,
    "metadata": .pairs, "priority": .number(0...1), "expects-to-send": .size, "expects-to-receive": .size,
    "request-timeout": .limit, "resource-timeout": .limit, "begin": .duration, "resume": .flag, "intent": .shape(intent),
    "handler": .flag,
  ]

  private static let taskVerbs: [String: ActorShape] = [
    "download": ActorShape(
      single: "url", keys: task.merging(["resume-data": .text]) { $1 }, oneOf: ["url", "resume-data"],
      example: "download: $SERVER/pot"),
    "upload": ActorShape(
      keys: task.merging(["file": .text, "temporary": .flag, "body": .shape(bytes), "stream": .flag]) { $1 }, required: ["url"],
      oneOf: ["file", "body", "stream"], example: "upload: { url: $SERVER/letters, file: $FILES/letter.txt }"),
    "data": ActorShape(
      single: "url", keys: task.merging(["cache-policy": cachePolicy]) { $1 }, required: ["url"], example: "data: $SERVER/list"),
    "resume": ActorShape(single: "task", keys: ["task": .text], isOptional: true, example: "resume: pot"),
    "suspend": ActorShape(single: "task", keys: ["task": .text], isOptional: true, example: "suspend: pot"),
    "cancel": ActorShape(
      single: "task", keys: ["task": .text, "resume-data": .text, "then": .steps], isOptional: true, example: "cancel: pot"),
    "describe": ActorShape(
      single: "description",
      keys: [
        "task": .text, "description": .optionalText, "priority": .number(0...1), "expects-to-send": .size,
        "expects-to-receive": .size,
      ], example: "describe: { task: pot, priority: 0.9 }"),
    "hand-off": ActorShape(
      single: "to", keys: ["task": .text, "to": .text], required: ["to"], example: "hand-off: { task: pot, to: later }"),
    "keep-resume-data": ActorShape(single: "as", keys: ["as": .text], required: ["as"], example: "keep-resume-data: pot"),
    "corrupt-resume-data": ActorShape(single: "as", keys: ["as": .text], required: ["as"], example: "corrupt-resume-data: pot"),
    "discard-resume-data": ActorShape(single: "as", keys: ["as": .text], required: ["as"], example: "discard-resume-data: pot"),
  ]

  private static let ways: [String: Kind] = ["from": .text, "to": .text]
  private static let fileVerbs: [String: ActorShape] = [
    "move": ActorShape(single: "to", keys: ["to": .text, "replacing": .flag], required: ["to"], example: "move: $FILES/pot"),
    "copy": ActorShape(single: "to", keys: ["to": .text, "replacing": .flag], required: ["to"], example: "copy: $FILES/pot"),
    "open-file": ActorShape(keys: [:], isOptional: true, example: "open-file"),
    "rename": ActorShape(keys: ways, required: ["from", "to"], example: "rename: { from: $FILES/a, to: $FILES/b }"),
    "link": ActorShape(keys: ways, required: ["from", "to"], example: "link: { from: $FILES/a, to: $FILES/b }"),
    "write": ActorShape(
      keys: ["path": .text, "size": .size, "seed": count, "text": .text], required: ["path"], oneOf: ["size", "text"],
      example: "write: { path: $FILES/a, size: 10kB, seed: 1 }"),
    "append": ActorShape(
      keys: ["path": .text, "text": .text], required: ["path", "text"], example: "append: { path: $FILES/a, text: more }"),
    "mode": ActorShape(
      keys: ["path": .text, "mode": .text], required: ["path", "mode"], example: "mode: { path: $FILES/a, mode: 600 }"),
    "folder": ActorShape(single: "path", keys: ["path": .text], required: ["path"], example: "folder: $FILES/inbox"),
    "delete": ActorShape(
      single: "path", keys: ["path": .text, "record": .flag, "task": .text, "reason": .text], required: ["path"],
      example: "delete: $FILES/a"),
    "remember": ActorShape(keys: [:], free: "values", example: "remember: { id: $UUID }"),
  ]

  private static let outcomes = ["success", "failure", "discarded", "cancelled", "auto"]
  private static let recordVerbs: [String: ActorShape] = [
    "outcome": ActorShape(
      single: "outcome", keys: ["outcome": .choice(outcomes), "intent": .text, "task": .text, "message": .text],
      required: ["outcome"], example: "outcome: success"),
    "intent": ActorShape(
      single: "key", keys: ["key": .text, "task": .text, "step": .text, "durable": .flag], required: ["key"],
      example: "intent: pot-7"),
    "bind": ActorShape(
      single: "key", keys: ["key": .text, "task": .text, "by": .text], required: ["key"], example: "bind: { key: pot-7, by: uid }"
    ),
    "unbind": ActorShape(
      single: "key", keys: ["key": .text, "task": .text, "reason": .text], required: ["key"], example: "unbind: pot-7"),
    "listener": ActorShape(
      single: "name", keys: ["name": .text, "session": .text], required: ["name"], example: "listener: library"),
    "journal": ActorShape(single: "up-to", keys: ["up-to": count], required: ["up-to"], example: "journal: 12"),
    "capabilities": ActorShape(
      single: "list", keys: ["list": .text], required: ["list"], example: "capabilities: \"location,voip\""),
    "note": ActorShape(
      single: "text", keys: ["text": .text, "task": .text, "intent": .text], required: ["text"], example: "note: begun"),
    "begin-work": ActorShape(
      single: "name", keys: ["name": .text, "task": .text], required: ["name"], example: "begin-work: decode"),
    "end-work": ActorShape(
      single: "name", keys: ["name": .text, "task": .text], required: ["name"], example: "end-work: decode"),
    "secret": ActorShape(
      keys: [
        "name": .text, "answer": .choice(["read", "absent", "unavailable", "denied", "failed"]), "error": count, "task": .text,
      ], required: ["name", "answer"], example: "secret: { name: token, answer: unavailable }"),
    "policy": ActorShape(
      keys: [
        "name": .choice(["background-refresh", "cellular-data", "low-data-mode", "low-power-mode"]), "enabled": .flag,
      ], required: ["name", "enabled"], example: "policy: { name: cellular-data, enabled: false }"),
    "delete-secret": ActorShape(
      single: "name", keys: ["name": .text, "reason": .text], required: ["name"], example: "delete-secret: token"),
    "open-failed": ActorShape(
      keys: ["file": .text, "error": count, "exists": .flag, "container": .text, "task": .text], required: ["file"],
      example: "open-failed: { file: $FILES/a, error: 2 }"),
    "message": ActorShape(
      single: "text", keys: ["text": .text, "level": .choice(["debug", "info", "default", "error", "fault"])], required: ["text"],
      example: "message: { level: error, text: lost }"),
  ]

  private static let timeVerbs: [String: ActorShape] = [
    "begin-time": ActorShape(
      single: "name", keys: ["name": .text, "as": .text, "expired": .steps], required: ["name"], example: "begin-time: fetch"),
    "end-time": ActorShape(single: "as", keys: ["as": .text], required: ["as"], example: "end-time: fetch"),
    "deadman": ActorShape(
      keys: ["name": .text, "arm": .duration, "check": .flag, "disarm": .flag], required: ["name"],
      oneOf: ["arm", "check", "disarm"], example: "deadman: { name: alive, arm: 10m }"),
    "beat": ActorShape(
      keys: ["name": .text, "expect": .duration, "send": .flag, "stop": .flag], required: ["name"],
      oneOf: ["expect", "send", "stop"], example: "beat: { name: position, expect: 60s }"),
    "trigger": ActorShape(
      keys: [
        "arm": .choice(triggers), "disarm": .choice(triggers), "name": .text, "radius": count, "after": .duration,
      ], required: ["name"], oneOf: ["arm", "disarm"], example: "trigger: { arm: region, name: home }"),
    "state": ActorShape(
      single: "state", keys: ["state": .choice(["foreground", "background"])], required: ["state"], example: "state: background"),
  ]
  private static let triggers = ["significantLocation", "region", "push", "timer", "appRefresh", "processing"]

  private static let controlVerbs: [String: ActorShape] = [
    "store-handler": ActorShape(single: "as", keys: ["as": .text], isOptional: true, example: "store-handler"),
    "call-handler": ActorShape(
      single: "session", keys: ["session": .text, "again": .flag], isOptional: true, example: "call-handler"),
    "answer": ActorShape(
      single: "word",
      keys: [
        "word": .choice([
          "default", "cancel", "reject", "trust", "follow", "stop", "continue", "allow", "download", "store", "skip", "none",
        ]), "user": .text, "password": .text, "url": .text, "headers": .pairs, "size": .size, "seed": count, "declared": .flag,
        "fails-after": .size,
      ], example: "answer: { user: me, password: secret }"),
    "multipart": ActorShape(
      keys: [
        "start": .text, "part": .text, "complete": .text, "abort": .text, "url": .text, "file": .text,
        "parts": .integer(0...10_000),
        "resumable": .flag, "number": .integer(1...10_000), "size": .size, "session": .text,
      ], oneOf: ["start", "part", "complete", "abort"],
      example: "multipart: { start: film, url: $SERVER/film, file: $FILES/film }"),
    "crash": ActorShape(
      single: "how", keys: ["how": .choice(["trap", "abort", "segv", "fpe", "ill"])], isOptional: true, example: "crash"),
    "exit": ActorShape(
      single: "code", keys: ["code": .integer(0...255), "closes": .flag], isOptional: true, example: "exit: 1"),
    "hang": ActorShape(keys: [:], isOptional: true, example: "hang"),
    "block": ActorShape(single: "time", keys: ["time": .duration], required: ["time"], example: "block: 3s"),
    "spin": ActorShape(single: "time", keys: ["time": .duration], required: ["time"], example: "spin: 3s"),
    "lock": ActorShape(
      single: "name", keys: ["name": .text, "within": .duration], required: ["name"], example: "lock: store.db"),
    "unlock": ActorShape(single: "name", keys: ["name": .text], required: ["name"], example: "unlock: store.db"),
    "wait": ActorShape(
      keys: ["file": .text, "task": .text, "within": .duration], oneOf: ["file", "task"], example: "wait: { file: $FILES/go }"),
    "do": ActorShape(single: "steps", keys: ["steps": .steps], required: ["steps"], example: "do: [{ note: begun }]"),
    "default": ActorShape(keys: [:], isOptional: true, example: "default"),
    "close-log": ActorShape(keys: [:], isOptional: true, example: "close-log"),
    "sync-log": ActorShape(keys: [:], isOptional: true, example: "sync-log"),
    "leave": ActorShape(keys: [:], isOptional: true, example: "leave"),
  ]
}
