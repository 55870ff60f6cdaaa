extension CollectionRecipe {
  static let linux = CollectionRecipe(
    system: .linux, title: "Collect the logs of a transfer on Linux",
    steps: [
      Step(
        "Replay the log that xfer, xferd and apps with XferLogStore write, if there is one",
        "xferlog verify",
        "xferlog replay",
        shows: "Everything, in the order in which it happened, with the reason of each verdict. The log needs no other capture.",
        cannotShow: "Programs that do not write it. $XFERLOG_DIR names the log if it is not the standard one."),
      Step(
        "Pack the log for somebody else",
        "tar -C ~/.local/state/xferlog -czf log.xlog.tgz log.xlog",
        shows: "The same, elsewhere. The archive has to be unpacked before it is read.",
        cannotShow: "Private values, which are hashed unless the log was written with another capture mode."),
      Step(
        "Export the journal of the daemon and of the app",
        "journalctl --user --unit xferd --since -1h --output export > xferd.export",
        "journalctl --boot --since -1h --output json _COMM=yourapp > app.json",
        shows: "Messages with boot, process id and microseconds, and starts and exits of services.",
        cannotShow: """
          Transfers of programs that print nothing about them. Messages that journald suppressed because of its rate limit; it \
          writes how many.
          """),
      Step(
        "Export the kernel's messages, if a process disappeared",
        "journalctl --dmesg --since -1h --output json > kernel.json",
        shows: "Processes that were killed for lack of memory, and network interfaces that went down.",
        cannotShow: "A kill by a user or another process."),
      Step(
        "Trace a request with curl",
        "curl --verbose --trace-time --output /dev/null https://example.com/file 2> curl.txt",
        shows: "Name lookup, connection, TLS, request and response header fields of this one request, with times.",
        cannotShow: "What another program did. The header fields contain tokens and cookies in clear."),
      Step(
        "Replay the files of one incident together",
        "xferlog replay log.xlog xferd.export app.json",
        shows: "What happened to each task, and the findings.",
        cannotShow: "More than the captures contain. The verdict is incomplete where lines may be missing."),
    ],
    limits: [
      "The journal does not contain transfers, unless a program logs them.",
      "It does not contain why a process called exit(), or what an app did with a result.",
    ])
}
