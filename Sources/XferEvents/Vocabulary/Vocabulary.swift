/// Everything that can be said in a log: the one source of the typed events, the schema document and the JSON Schema.
///
/// `xferlog-dev generate` makes `Generated/` from it; `xferlog-dev generate --check` says whether that is current.
/// Numbers and names are never changed or used again; a field or a case is only ever added.
package enum Vocabulary {
  /// Raised when an event, a field or a case is added; readers keep and show what they do not know.
  package static let version: UInt32 = 1

  package static let families: [FamilyDefinition] = [
    .init("log", subject: nil, "What the writer says of its own log."),
    .init("clock", subject: nil, "The three clocks, read together."),
    .init("process", subject: "launch", "Process lives: how they begin, change and end."),
    .init("daemon", subject: nil, "The transfer daemon's own lives."),
    .init("link", subject: "peer", "The connection between an app and the daemon."),
    .init("session", subject: "instance", "Session objects and their connection to the daemon."),
    .init("wake", subject: "handler", "An app is woken for its events, and its completion handler."),
    .init("task", subject: "task", "A task as a whole, from creation until it is forgotten."),
    .init("attempt", subject: "task", "One try of a task on the wire."),
    .init("file", subject: "task", "The downloaded or uploaded file changes hands."),
    .init("delivery", subject: "delivery", "One callback on its way to the app's code."),
    .init("app", subject: nil, "The app's own voice: what it intends, and what came of it."),
    .init("assertion", subject: "assertion", "Time that the app asked for in the background."),
    .init("deadman", subject: "deadman", "An alarm that rings when the app stops re-arming it."),
    .init("trigger", subject: "trigger", "Launch reasons beside transfers: places, pushes, timers."),
    .init("network", subject: nil, "The network path."),
    .init("power", subject: nil, "Power and battery."),
    .init("disk", subject: nil, "Free space, and what is found in the file system."),
    .init("protection", subject: nil, "Whether protected files can be read: the device's lock."),
    .init("policy", subject: nil, "The user's switches."),
    .init("multipart", subject: "upload", "An upload in parts, as object stores have it."),
    .init("message", subject: nil, "What code says in words, at a level of its choice."),
    .init("signpost", subject: "signpost", "Intervals and points that code marks, to be measured."),
    .init("activity", subject: "activity", "Stretches of work that messages and signposts belong to."),
    .init(
      "cache", subject: nil,
      "Responses that are kept and given again without the server, or with its word that they are still good."),
  ]

  package static let choices: [ChoiceDefinition] = [
    .init(
      "WriterRole", "Who writes.",
      """
      app: an app, through the library
      engine: the transfer engine inside a command or a service
      daemon: the transfer daemon
      recorder: Foundation's URLSession, as seen by its recorder
      tool: the reading tool or its tests
      appExtension: an app extension, through the library
      """),
    .init(
      "CaptureMode", "What is kept of private values.",
      """
      hashed: a keyed hash that still joins
      redacted: nothing
      full: everything, secrets too
      """),
    .init(
      "StartReason", "Why a process was started.",
      """
      unknown: nobody said
      user: the user opened it
      transfer: its background transfers have events
      challenge: a background transfer needs authentication
      significantLocation: the device moved far
      region: a region was left or entered
      push: a push or a call
      timer: a timer or a scheduled refresh
      prewarm: the system prepared it before use
      command: a shell or a script
      restart: its supervisor started it again
      """),
    .init(
      "AppState", "What an app may do.",
      """
      foreground: in front of the user
      background: running unseen
      suspending: about to be stopped
      suspended: stopped, still in memory
      resumed: running again after a stop
      """),
    .init(
      "ExitReason", "How a process life ended.",
      """
      unknown: gone, and nobody saw how
      returned: main returned
      exitCall: its own code called exit
      signal: a signal ended it
      missing: found dead by the next opener of the log
      rebooted: the machine was restarted
      userQuit: the user quit it from the switcher
      memoryPressure: the system needed its memory
      watchdog: it took too long
      suspendedHoldingLock: it was stopped while it held a shared lock
      assertionExpired: its background time ran out
      debuggerEnded: the debugger ended the run
      upgraded: it was replaced by a newer version
      """),
    .init(
      "Actor", "Who did it.",
      """
      unknown: not known
      app: the app's own code
      engine: the transfer engine
      daemon: the daemon
      policy: a policy of the system
      user: the user
      server: the other end
      progress: a progress object
      """),
    .init(
      "SessionKind", "URLSession's kinds of configuration.",
      """
      default: caches and cookies on disk
      ephemeral: nothing on disk
      background: carried by the daemon
      shared: the process-wide default
      """),
    .init(
      "TaskType", "What a task does.",
      """
      data: into memory
      upload: a body to the server
      download: into a file
      """),
    .init(
      "CompletionStyle", "How the app hears of the end.",
      """
      async: an async function returns
      closure: a completion handler of the task
      delegate: the session's delegate
      shared: the tasks that share its transfer
      """),
    .init(
      "TaskOrigin", "Where the app was when it made the task.",
      """
      unknown: not known
      foreground: in front
      background: in the background
      """),
    .init(
      "TimeoutOrigin", "When the request timer starts.",
      """
      connection: when the attempt starts
      resume: when the task is resumed
      """),
    .init(
      "RejectionReason", "Why a task was not made.",
      """
      invalidSession: the session was invalidated
      unsupportedScheme: neither http nor https
      badURL: the URL cannot be read
      completionHandlerInBackground: background sessions have no completion handlers
      bodyFromMemory: background uploads come from files
      bodyFromStream: background uploads come from files
      dataTaskInBackground: background sessions have no data tasks
      missingContainer: an extension needs a shared container
      tooManyTasks: the session's limit is reached
      missingSource: the file to send is not there
      resumeDataInvalid: the resume data cannot be used
      metadataTooLarge: the app wants too much kept with it
      """),
    .init(
      "CancelReason", "URLSession's reasons for a cancellation.",
      """
      none: the app asked for it
      userForceQuit: the user quit the app
      backgroundUpdatesDisabled: the user switched background refresh off
      insufficientResources: the system was short of something
      sessionInvalidated: its session was invalidated
      sizeLimit: the body was larger than allowed
      """),
    .init(
      "HoldReason", "The one reason why a task does not move.",
      """
      hostSlots: all connections of its host are taken
      sessionSlots: all connections of its session are taken
      network: there is no network path
      networkPolicy: the path is there but not allowed
      discretionary: the system waits for a better time
      wakeDelay: the app was woken too often
      beginDate: its earliest begin date has not come
      delayAnswer: the app was asked whether to begin
      challenge: an authentication challenge is open
      redirect: the app was asked about a redirect
      backoff: it waits before the next attempt
      protectedData: the device is locked
      diskSpace: there is no room
      daemonStarting: the daemon is not ready
      """),
    .init(
      "ForgetReason", "Why the daemon no longer knows a task.",
      """
      acknowledged: the app has its completion
      cancelled: it was cancelled
      expired: nobody fetched it in time
      appRemoved: its app is gone
      sessionInvalidated: its session was invalidated
      corrupt: its row could not be read
      userForceQuit: the user quit the app
      """),
    .init(
      "AttemptEnd", "How an attempt ended.",
      """
      finished: the response is whole
      transport: the transport failed
      timeout: a time limit passed
      cancelled: the task was cancelled
      suspended: the task was suspended
      refused: the engine refused the answer
      redirectRefused: a redirect was not followed
      file: the local file could not be read or written
      appBackgrounded: the app left the foreground
      processEnded: the process that ran it is gone
      limit: a limit of the engine was reached
      handedOff: another task goes on with the response
      """),
    .init(
      "ErrorDomain", "Whose numbers an error code is from.",
      """
      curl: libcurl's CURLcode
      posix: errno
      http: an HTTP status
      url: NSURLErrorDomain
      xfer: the engine's own
      """),
    .init(
      "Callback", "Which callback a delivery carries.",
      """
      didComplete: the task is complete
      didFinishDownloading: the file is there
      didReceiveResponse: the response's head is there
      didReceiveData: bytes of the body
      didWriteData: progress of a download
      didSendBodyData: progress of an upload
      willPerformRedirect: a redirect was received
      didReceiveChallenge: an authentication challenge was received
      needNewBodyStream: the body has to be sent again
      didFinishCollectingMetrics: the metrics are there
      waitingForConnectivity: the task waits for the network
      willBeginDelayedRequest: the earliest begin date has come
      willCacheResponse: a response is about to be cached
      didFinishEvents: all events of a background session are delivered
      didBecomeInvalid: the session is invalid
      didResume: the download goes on where it was
      didBecomeDownload: a data task is a download from now on
      """),
    .init(
      "DropReason", "Why something did not arrive or was not written.",
      """
      unknown: not known
      noConsumer: nobody listens
      noRecord: the app has no record of it
      delegateGone: the delegate no longer exists
      cancelled: it is no longer wanted
      diskFull: there was no room
      ioError: the system refused
      tooLarge: it is larger than allowed
      closed: the log was closed
      rateLimited: too many at once
      """),
    .init(
      "ClaimOperation", "How a file was taken over.",
      """
      move: renamed into place
      copy: copied
      open: opened during the callback
      link: linked elsewhere during the callback
      unknown: gone when the callback returned
      """),
    .init(
      "ChallengeMethod", "URLSession's authentication methods.",
      """
      serverTrust: is the server's certificate to be trusted
      clientCertificate: the server asks for a certificate
      basic: user and password
      digest: user and password, hashed
      bearer: a token
      other: another scheme
      """),
    .init(
      "ChallengeDisposition", "URLSession's answers to a challenge.",
      """
      useCredential: with this credential
      performDefaultHandling: as if nobody had been asked
      cancel: give up
      rejectProtectionSpace: try the next method
      """),
    .init(
      "RedirectDecision", "What was done about a redirect.",
      """
      followed: the new request is made
      refusedByApp: the app declined
      refusedScheme: it leads to something other than http or https
      refusedDowngrade: it leads from https to http
      tooMany: the limit is reached
      badLocation: the new address cannot be read
      """),
    .init(
      "WakeCause", "Why an app is wanted.",
      """
      completion: tasks are complete
      challenge: authentication is required
      delayed: a delayed request may begin
      """),
    .init(
      "HoldWakeReason", "Why a wake waits.",
      """
      rateLimit: it was woken too often
      suppressed: the session does not send launch events
      userQuit: the user quit the app
      policy: background refresh is off
      launchFailed: the program could not be started
      running: the app is already there
      storm: it ends too soon after each start
      """),
    .init(
      "Outcome", "What the app made of it.",
      """
      success: it counts as done
      failure: it counts as failed
      discarded: it is not wanted any more
      cancelled: the app gave it up
      """),
    .init(
      "InvalidationMode", "How a session is invalidated.",
      """
      finishTasks: after its tasks
      cancel: at once
      """),
    .init(
      "SampleReason", "Why the clocks were read.",
      """
      opened: the log was opened
      periodic: it was time
      rotated: a new segment began
      stepped: the wall clock had moved
      resumed: the machine had slept
      """),
    .init(
      "TriggerKind", "Launch reasons beside transfers.",
      """
      significantLocation: the device moved far
      region: a region was left or entered
      push: a push or a call
      timer: a time came
      """),
    .init(
      "PolicyName", "The user's switches.",
      """
      backgroundRefresh: whether apps may refresh in the background
      cellularData: whether the app may use the cellular network
      lowDataMode: whether to save data
      lowPowerMode: whether to save power
      """),
    .init(
      "CacheAnswer", "By what right a stored response was given.",
      """
      fresh: it was not older than it may be
      validated: the server says that it is still good
      stale: the request takes what is older, too
      staleIfError: the server could not be asked, and the response may stand in
      ageIgnored: the cache policy takes it whatever its age
      """),
    .init(
      "CacheMiss", "Why the server had to be asked.",
      """
      absent: there is no stored response
      otherRequest: what is stored answers a request with other fields or credentials
      stale: it is older than it may be
      mustValidate: it is not to be used without asking
      reload: the request does not want a stored response
      """),
    .init(
      "CacheRemoval", "Why a response is no longer kept.",
      """
      damaged: its bytes are not those that were stored
      invalidated: a request has changed what it describes
      superseded: the server's new answer is not to be kept
      contradicted: the server calls it good and describes another version
      evicted: there was no more room
      """),
    .init(
      "AttemptPhase", "How far an attempt had got.",
      """
      queued: nothing had been done for it
      resolving: the host's address was looked for
      connecting: a connection was being made
      securing: TLS was being agreed on
      sending: the request was on its way
      waiting: the request was sent, and no answer had come
      receiving: the answer was on its way
      """),
    .init(
      "SecretAnswer", "What comes of reading a secret, a token for instance.",
      """
      read: it is there
      absent: there is none
      unavailable: it is there and cannot be read now, as while the device is locked
      denied: the app may not read it
      failed: something else went wrong
      """),
    .init(
      "LogWork", "What a log does that may take a disk's time.",
      """
      sync: it brings what was written to the disk
      segment: it begins another segment
      export: it copies what was written for somebody else
      """),
  ]
}
