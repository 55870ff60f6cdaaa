extension CollectionRecipe {
  private static let transfers = predicate(["YourApp", "nsurlsessiond", "runningboardd", "dasd", "SpringBoard"])
  private static let app = predicate(["YourApp", "nsurlsessiond"])

  /// Returns a predicate of the `log` command that selects the messages of processes.
  static func predicate(_ processes: [String]) -> String {
    processes.map { "process == \"\($0)\"" }.joined(separator: " OR ")
  }

  static let apple = CollectionRecipe(
    system: .apple, title: "Collect the logs of a transfer on Apple's systems",
    steps: [
      Step(
        "Collect the log of an iPhone or iPad that is connected to a Mac, soon after the failure",
        "sudo log collect --device --last 1h --output incident.logarchive",
        shows: "The stored messages of the app, the transfer daemon and the system, with dates, process ids and levels.",
        cannotShow: """
          Messages that the device has already purged, debug messages, which are not stored by default, and values that are \
          masked as <private>.
          """),
      Step(
        "Extract the lines about transfers; replace YourApp with the name of the app's process",
        "log show --archive incident.logarchive --style ndjson --info --debug --predicate '\(transfers)' > incident.ndjson",
        shows: "The tasks on both sides, launches and exits of the app, and decisions of the scheduler.",
        cannotShow: "What the predicate excludes. An empty result may mean that the process has another name."),
      Step(
        "Show the log of an app on the Mac itself",
        "log show --last 1h --style ndjson --info --debug --predicate '\(app)' > incident.ndjson",
        shows: "The same for a Mac app. A record at the end, with \"finished\":1, shows that the output is complete.",
        cannotShow: "Messages that have been purged. Debug messages are stored only if they were enabled before the failure."),
      Step(
        "Reproduce the failure while the log is streamed, on the Mac or in the simulator",
        "log stream --style ndjson --level debug --predicate '\(app)' > live.ndjson",
        "xcrun simctl spawn booted log stream --style ndjson --level debug --predicate '\(app)' > live.ndjson",
        shows: "Debug messages, too, such as the bytes received.",
        cannotShow: """
          Anything before the command started, and messages dropped under load. The end is not marked. A simulator does not \
          suspend and terminate apps as a device does.
          """),
      Step(
        "Copy from Console.app: choose the device, enable Include Info and Debug Messages in the menu Action, start, reproduce, "
          + "select all, copy",
        "pbpaste | xferlog replay -",
        shows: "The same messages as a stream of the log.",
        cannotShow: "Dates and process ids, which a copy does not contain. A relaunch of the app may not be recognised."),
      Step(
        "Copy from the console of Xcode",
        "pbpaste | xferlog replay -",
        shows: "The app's own lines and those of frameworks in its process.",
        cannotShow: """
          The daemon, so a background transfer that ended without a callback looks like one that still runs. Xcode's debugger also \
          keeps the app from being suspended.
          """),
      Step(
        "Stream the log of a device without a Mac, with libimobiledevice",
        "idevicesyslog --process 'YourApp|nsurlsessiond' > device.log",
        "mkdir incident.logarchive && idevicesyslog archive - | tar -C incident.logarchive -xf -",
        shows: "The first command: messages from now on. The second, of newer versions: an archive, for log show on a Mac.",
        cannotShow: "The year, fractions of a second and the time zone, which the lines of the first command do not contain."),
      Step(
        "Show methods and URLs: set CFNETWORK_DIAGNOSTICS to 3 in the scheme of Xcode, or for the simulator",
        "SIMCTL_CHILD_CFNETWORK_DIAGNOSTICS=3 xcrun simctl launch booted com.example.app",
        shows: "Requests with method and URL, and header fields, of the app's process.",
        cannotShow: """
          Requests of the daemon, which the variable does not reach. The blocks contain cookies and tokens in clear: remove them \
          before you share the log.
          """),
      Step(
        "Replay the files of one incident together",
        "xferlog replay incident.ndjson",
        shows: "What happened to each task, and the findings.",
        cannotShow: "More than the captures contain. The verdict is incomplete where lines may be missing."),
    ],
    limits: [
      "Apple's log does not contain the method of a request, at any level, unless CFNETWORK_DIAGNOSTICS was set.",
      "It contains a URL only at the first request of a connection and in error dictionaries, and there it may be masked.",
      "It does not contain what the app did with a result: whether it moved the file, stored the data or ignored the callback.",
      "It does not contain which line of the app cancelled a task or invalidated a session.",
      "For these, record the session: see Recording URLSession in the documentation.",
    ])
}
