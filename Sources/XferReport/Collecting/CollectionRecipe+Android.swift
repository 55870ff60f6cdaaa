extension CollectionRecipe {
  static let android = CollectionRecipe(
    system: .android, title: "Collect the logs of a transfer on Android",
    steps: [
      Step(
        "Enlarge the buffers before you reproduce the failure",
        "adb logcat -G 16M",
        shows: "Nothing; the buffers are rings, and a busy device overwrites them within minutes.",
        cannotShow: "Messages that have been overwritten already."),
      Step(
        "Enable the messages of WorkManager in a debug build: setMinimumLoggingLevel(Log.DEBUG) in its Configuration",
        shows: "Lines with tags that begin with WM-: enqueued work, constraints, starts and results of workers.",
        cannotShow: "Work of a release build, which logs less."),
      Step(
        "Dump the buffers soon after the failure, with year and time zone",
        "adb logcat -b main,system,events,crash -v threadtime -v year -v zone -d > logcat.txt",
        shows: "The app, WorkManager, DownloadManager and the system: starts and ends of processes, jobs and crashes.",
        cannotShow: """
          Overwritten messages, and messages of an app whose build removes them. Without -v year and -v zone, lines have neither \
          year nor time zone.
          """),
      Step(
        "Keep what the system knows beside the log; these files are for people, replay does not read them",
        "adb shell dumpsys jobscheduler > jobs.txt",
        "adb shell dumpsys activity exit-info com.example.app > exits.txt",
        shows: "The constraints that a job still waits for, and the reasons of the app's last exits.",
        cannotShow: "The past of a job that has ended."),
      Step(
        "Replay the dump",
        "xferlog replay logcat.txt",
        shows: "What happened to each piece of work, and the findings.",
        cannotShow: "More than the dump contains. The verdict is incomplete where lines may be missing."),
    ],
    limits: [
      "logcat does not contain requests, unless the app logs them, for example with an interceptor of OkHttp.",
      "It does not contain what the app did with a result.",
    ])
}
