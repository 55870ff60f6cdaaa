/// All that a log can contain: the only source of the typed events, the vocabulary's reference and the JSON Schema.
///
/// `xferlog-dev generate` writes `Generated/` from the tables; `xferlog-dev generate --check` reports whether it is current.
/// Numbers and names are never changed or reused; fields and cases are only ever added.
package enum Vocabulary {
  /// The version, which increases when an event, a field or a case is added. The tables name the version of each event and field
  /// that was added later. Readers keep and show elements that they do not know.
  package static let version: UInt32 = 5

  package static let choices: [ChoiceDefinition] = [
    .init(
      "WriterRole", "The role of the process that writes.",
      """
      app: an app that uses this library
      engine: the transfer engine within a command or a service
      daemon: the transfer daemon
      recorder: an app that uses Foundation's URLSession with this library's recorder
      tool: the reading tool or a test
      appExtension: an app extension that uses this library
      system: a process of the operating system, such as the one that starts and ends apps
      """),
    .init(
      "CaptureMode", "The form in which private values are stored.",
      """
      hashed: a keyed hash, so that equal values can be joined
      redacted: not stored
      full: all values, including secrets
      """),
    .init(
      "StartReason", "The reason for the start of a process.",
      """
      unknown: the reason is unknown
      user: the user opened the app
      transfer: a background session has events for the app
      challenge: a background transfer needs authentication
      significantLocation: the device moved far
      region: the device left or entered a region
      push: a push notification or a call arrived
      timer: a timer or a scheduled refresh fired
      prewarm: the system prepared the app before its use
      command: a shell or a script started it
      restart: its supervisor restarted it
      """),
    .init(
      "AppState", "The execution state of an app.",
      """
      foreground: the app is in the foreground
      background: the app is running in the background
      suspending: the app is about to be suspended
      suspended: the app is suspended in memory
      resumed: the app is running again after a suspension
      """),
    .init(
      "ExitReason", "The way in which a process life ended.",
      """
      unknown: the process is gone, and the reason is unknown
      returned: its main function returned
      exitCall: its own code called exit
      signal: a signal ended it
      missing: the next process that opened the log found it missing
      rebooted: the machine was restarted
      userQuit: the user quit the app
      memoryPressure: the system needed its memory
      watchdog: a watchdog ended it because it was unresponsive
      suspendedHoldingLock: it was suspended while it held a shared lock
      assertionExpired: its background time expired
      debuggerEnded: the debugger ended it
      upgraded: it was replaced by a newer version
      crashed: the system reported a crash
      """),
    .init(
      "Actor", "The party that acted.",
      """
      unknown: an unknown party
      app: the app's own code
      engine: the transfer engine
      daemon: the daemon
      policy: a policy of the system
      user: the user
      server: the server
      progress: a progress object
      """),
    .init(
      "SessionKind", "The kind of a session, after URLSession's configurations.",
      """
      default: caches and cookies are stored on disk
      ephemeral: nothing is stored on disk
      background: the daemon carries the tasks
      shared: the shared session of the process
      """),
    .init(
      "TaskType", "The type of a task.",
      """
      data: receives the body in memory
      upload: sends a body
      download: receives the body in a file
      """),
    .init(
      "CompletionStyle", "The way in which the app receives the completion.",
      """
      async: an async function returns
      closure: the task's completion handler is called
      delegate: the session's delegate is called
      shared: the completion belongs to tasks that share the transfer
      """),
    .init(
      "TaskOrigin", "The state of the app when it created a task.",
      """
      unknown: the state is unknown
      foreground: the app was in the foreground
      background: the app was in the background
      """),
    .init(
      "TimeoutOrigin", "The moment at which the request timeout starts.",
      """
      connection: the start of the attempt
      resume: the resume of the task
      """),
    .init(
      "RejectionReason", "The reason why a task was not created.",
      """
      invalidSession: the session was invalidated
      unsupportedScheme: the URL scheme is neither http nor https
      badURL: the URL is invalid
      completionHandlerInBackground: background sessions do not support completion handlers
      bodyFromMemory: background sessions upload only from files, not from memory
      bodyFromStream: background sessions upload only from files, not from streams
      dataTaskInBackground: background sessions do not support data tasks
      missingContainer: an extension needs a shared container
      tooManyTasks: the session's limit of tasks is reached
      missingSource: the file to upload does not exist
      resumeDataInvalid: the resume data is invalid
      metadataTooLarge: the task's metadata exceeds the limit
      """),
    .init(
      "CancelReason", "URLSession's reason for a cancellation.",
      """
      none: the app requested it
      userForceQuit: the user quit the app
      backgroundUpdatesDisabled: the user disabled background refresh
      insufficientResources: the system lacked resources
      sessionInvalidated: the session was invalidated
      sizeLimit: the body exceeded the size limit
      """),
    .init(
      "HoldReason", "The reason why a task waits. A task has one at a time.",
      """
      hostSlots: all connections to its host are in use
      sessionSlots: all connections of its session are in use
      network: no network path is available
      networkPolicy: the available network path is not allowed
      discretionary: the system waits for a better time
      wakeDelay: the app was woken too often
      beginDate: its earliest begin date has not been reached
      delayAnswer: the app was asked whether to begin and has not answered
      challenge: an authentication challenge is open
      redirect: the app was asked about a redirect and has not answered
      backoff: a delay before the next attempt is running
      protectedData: the device is locked
      diskSpace: the disk is full
      daemonStarting: the daemon is not ready
      """),
    .init(
      "ForgetReason", "The reason why the daemon removed a task from its list.",
      """
      acknowledged: the app has received the completion
      cancelled: the task was cancelled
      expired: the app did not fetch the completion in time
      appRemoved: the app was removed
      sessionInvalidated: the session was invalidated
      corrupt: the task's record in the database was unreadable
      userForceQuit: the user quit the app
      """),
    .init(
      "AttemptEnd", "The way in which an attempt ended.",
      """
      finished: the response is complete
      transport: the transport failed
      timeout: a time limit passed
      cancelled: the task was cancelled
      suspended: the task was suspended
      refused: the engine refused the response
      redirectRefused: a redirect was not followed
      file: a local file could not be read or written
      appBackgrounded: the app left the foreground
      processEnded: the process that ran the attempt ended
      limit: a limit of the engine was reached
      handedOff: another task continues with the response
      """),
    .init(
      "ErrorDomain", "The set of numbers to which an error code belongs.",
      """
      curl: libcurl's CURLcode
      posix: errno
      http: HTTP status codes
      url: NSURLErrorDomain
      xfer: the engine's own error codes
      cocoa: NSCocoaErrorDomain
      cfnetwork: kCFErrorDomainCFNetwork
      other: another domain
      """),
    .init(
      "Callback", "The delegate callback or completion handler call that a delivery carries.",
      """
      didComplete: the task is complete
      didFinishDownloading: the downloaded file is available
      didReceiveResponse: the response's header was received
      didReceiveData: bytes of the body were received
      didWriteData: a download has made progress
      didSendBodyData: an upload has made progress
      willPerformRedirect: a redirect was received
      didReceiveChallenge: an authentication challenge was received
      needNewBodyStream: the body has to be sent again
      didFinishCollectingMetrics: the metrics are available
      waitingForConnectivity: the task waits for the network
      willBeginDelayedRequest: the earliest begin date was reached
      willCacheResponse: a response is about to be cached
      didFinishEvents: all events of a background session are delivered
      didBecomeInvalid: the session is invalid
      didResume: a download continues from resume data
      didBecomeDownload: a data task has become a download
      """),
    .init(
      "DropReason", "The reason why an event or a callback was dropped.",
      """
      unknown: the reason is unknown
      noConsumer: no code listens
      noRecord: the app has no record of the task
      delegateGone: the delegate no longer exists
      cancelled: the app does not want it any more
      diskFull: the disk was full
      ioError: an input or output error occurred
      tooLarge: it exceeded the size limit
      closed: the log was closed
      rateLimited: the rate limit was exceeded
      """),
    .init(
      "ClaimOperation", "The way in which the app claimed a file.",
      """
      move: the app moved the file
      copy: the app copied the file
      open: the app opened the file during the callback
      link: the app linked the file elsewhere during the callback
      unknown: the file was gone when the callback returned
      """),
    .init(
      "ChallengeMethod", "The method of an authentication challenge, after URLSession.",
      """
      serverTrust: evaluate the server's certificate
      clientCertificate: provide a client certificate
      basic: user and password
      digest: user and password, hashed
      bearer: a token
      other: another method
      """),
    .init(
      "ChallengeDisposition", "The answer to an authentication challenge, after URLSession.",
      """
      useCredential: use this credential
      performDefaultHandling: use the default handling
      cancel: cancel the request
      rejectProtectionSpace: try the next method
      """),
    .init(
      "RedirectDecision", "The decision about a redirect.",
      """
      followed: the redirect was followed
      refusedByApp: the app declined it
      refusedScheme: the target is neither http nor https
      refusedDowngrade: the redirect leads from https to http
      tooMany: the limit of redirects was reached
      badLocation: the target address is invalid
      """),
    .init(
      "WakeCause", "The reason why an app is woken.",
      """
      completion: tasks are complete
      challenge: a transfer needs authentication
      delayed: a delayed request may begin
      """),
    .init(
      "HoldWakeReason", "The reason why a wake is held.",
      """
      rateLimit: the app was woken too often
      suppressed: the session does not send launch events
      userQuit: the user quit the app
      policy: background refresh is disabled
      launchFailed: the program could not be started
      running: the app is already running
      storm: the app exits too soon after each start
      """),
    .init(
      "Outcome", "The outcome of an intent that the app recorded.",
      """
      success: it succeeded
      failure: it failed
      discarded: the app does not want it any more
      cancelled: the app cancelled it
      """),
    .init(
      "InvalidationMode", "The way in which a session is invalidated.",
      """
      finishTasks: after its tasks have completed
      cancel: immediately, cancelling its tasks
      """),
    .init(
      "SampleReason", "The reason why the clocks were sampled.",
      """
      opened: the log was opened
      periodic: a regular sample was due
      rotated: a new segment began
      stepped: the wall clock was changed
      resumed: the machine woke from sleep
      """),
    .init(
      "TriggerKind", "The kind of a launch trigger.",
      """
      significantLocation: the device moved far
      region: the device left or entered a region
      push: a push notification or a call arrived
      timer: a timer fired
      appRefresh: the system granted a submitted app refresh, such as a BGAppRefreshTask
      processing: the system granted a submitted processing request, such as a BGProcessingTask
      """),
    .init(
      "UnsatisfiedReason", "The reason why a network path could not be used, as in `NWPath.UnsatisfiedReason`.",
      """
      notAvailable: no network is available
      cellularDenied: the user denied the app the cellular network
      wifiDenied: the user denied the app Wi-Fi
      localNetworkDenied: the user denied the app the local network
      vpnInactive: a required VPN is not active
      """),
    .init(
      "PolicyName", "The name of a policy that the user can change.",
      """
      backgroundRefresh: whether apps may refresh in the background
      cellularData: whether the app may use the cellular network
      lowDataMode: whether to save data
      lowPowerMode: whether to save power
      """),
    .init(
      "CacheAnswer", "The reason why a stored response could be used.",
      """
      fresh: it was fresh
      validated: the server confirmed that it is still valid
      stale: the request accepts stale responses
      staleIfError: the server could not be reached, and a stale response is allowed in this case
      ageIgnored: the cache policy ignores the age
      """),
    .init(
      "CacheMiss", "The reason why the server had to be asked.",
      """
      absent: no response is stored
      otherRequest: the stored response is for a request with other header fields or credentials
      stale: the stored response is stale
      mustValidate: the stored response must be validated before use
      reload: the request does not accept stored responses
      """),
    .init(
      "CacheRemoval", "The reason why a stored response was removed.",
      """
      damaged: its bytes have changed since they were stored
      invalidated: a request has changed the resource
      superseded: the server's new response must not be stored
      contradicted: the server confirmed it but describes another version
      evicted: the cache was full
      """),
    .init(
      "AttemptPhase", "The phase that an attempt had reached.",
      """
      queued: it had not started
      resolving: the host name was being resolved
      connecting: a connection was being established
      securing: TLS was being negotiated
      sending: the request was being sent
      waiting: the request was sent, and no response had arrived
      receiving: the response was being received
      """),
    .init(
      "SecretAnswer", "The result of reading a secret, such as a token.",
      """
      read: the secret was read
      absent: the secret does not exist
      unavailable: the secret cannot be read now, for example because the device is locked
      denied: the app may not read the secret
      failed: another error occurred
      """),
    .init(
      "LogWork", "The log's work that may have to wait for a disk.",
      """
      sync: it synchronizes written events to the disk
      segment: it begins another segment
      export: it exports written events
      """),
  ]
}
