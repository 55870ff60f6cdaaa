extension AppleShape {
  /// The lines of nsurlsessiond.
  static let ofDaemon: [AppleShape] = [
    .init(
      "A068", .daemon, #"…Creating session with identifier: {ident} for bundle id: {bundle}"#, .sessionMade,
      #"Creating session with identifier: com.example.transfer for bundle id: com.example.app"#),
    .init(
      "A069", .daemon, #"…Coudn't (create|restore) session with identifier"#, .note,
      #"Coudn't restore session with identifier com.example.transfer"#),
    .init(
      "A070", .daemon, #"NDSession <{session:uuid}>.<{}>.<{ident}>: created successfully"#, .daemonSession,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA>.<com.example.app>.<com.example.transfer>: created successfully"#),
    .init(
      "A071", .daemon, #"NDSession <{session:uuid}> Session <{}> is for <{bundle}>.<{ident}> using resource timeout"#,
      .sessionNamed,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA> Session <6B29FC40-CA47-1067-B31D-00DD010662DA> is for <com.example.app>.<com.example.transfer> using resource timeout 604800"#
    ),
    .init(
      "A072", .daemon, #"NDSession <{session:uuid}>.<{}>.<{ident}>: reconnecting existing session"#, .daemonSession,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA>.<com.example.app>.<com.example.transfer>: reconnecting existing session"#
    ),
    .init(
      "A073", .daemon, #"…: already has a connected client, returning nil proxy"#, .note,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA>.<com.example.app>.<com.example.transfer>: already has a connected client, returning nil proxy"#
    ),
    .init(
      "A074", .daemon, #"NDSession <{session:uuid}>.<{}>.<{ident}>: removing session"#, .daemonSession,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA>.<com.example.app>.<com.example.transfer>: removing session"#),
    .init(
      "A075", .daemon, #"…Obliterating session"#, .note,
      #"Obliterating session with identifier com.example.transfer"#),
    .init(
      "A076", .daemon, #"…Session {} didBecomeInvalidWithError: {err}"#, .note,
      #"Session <__NSURLBackgroundSession: 0x1> didBecomeInvalidWithError: (null)"#),
    .init(
      "A077", .daemon,
      #"NDSession <{session:uuid}> client {bundle} (connected result|is active result) \({:word}, XPC\({:word} proxy\("#,
      .daemonSession,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA> client com.example.app connected result (Y), XPC(Y) proxy(Y) for com.example.transfer"#
    ),
    .init(
      "A078", .daemon, #"NDSession <{session:uuid}> client {bundle} disconnected, XPC\("#, .daemonSession,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA> client com.example.app disconnected, XPC(N) proxy(N) for com.example.transfer"#
    ),
    .init(
      "A079", .daemon,
      #"NDSession <{session:uuid}>.<{}>.<{ident}> Lost connection to app -- connection (interrupted|invalidated)"#,
      .daemonSession,
      #"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA>.<com.example.app>.<com.example.transfer> Lost connection to app -- connection interrupted"#
    ),
    .init(
      "A080", .daemon, #"…(notified associated application {} was suspended|Application {} was suspended)"#, .note,
      #"Application com.example.app was suspended"#),
    .init(
      "A081", .daemon,
      #"…(Application {target} was quit in the app switcher|Removing client proxy due to task failure caused by app quit)"#,
      .userQuit,
      #"Application com.example.app was quit in the app switcher"#),
    .init(
      "A082", .daemon, #"…Application {} (entered foreground|no longer foreground)"#, .note,
      #"Application com.example.app entered foreground"#),
    .init(
      "A083", .daemon, #"…Resetting request delay"#, .note,
      #"Resetting request delay for com.example.app"#),
    .init(
      "A084", .daemon, #"…Set request delay for {} to {:number}"#, .note,
      #"Set request delay for com.example.app to 64.0"#),
    .init(
      "A085", .daemon, #"…urrent discretionary status for {} is non-discretionary"#, .note,
      #"Current discretionary status for <private> is non-discretionary, since the app is being debugged"#),
    .init(
      "A086", .daemon, #"…current discretionary status for {} is discretionary"#, .note,
      #"current discretionary status for com.example.app is discretionary"#),
    .init(
      "A087", .daemon, #"{task} is for <{bundle}>.<{ident}>.<{:int}>$"#, .taskNamed,
      #"{task} is for <com.example.app>.<com.example.transfer>.<1478>"#),
    .init(
      "A088", .daemon, #"{task} uploadTaskWithRequest: {} fromFile: "#, .uploadCreated,
      #"{task} uploadTaskWithRequest: <private> fromFile: <private>"#),
    .init(
      "A089", .daemon, #"{task} downloadTaskWithRequest: "#, .downloadCreated,
      #"{task} downloadTaskWithRequest: <private>"#),
    .init(
      "A090", .daemon, #"{task} enqueueing"#, .seen,
      #"{task} enqueueing"#),
    .init(
      "A091", .daemon, #"{task} resumeTaskWithIdentifier, props"#, .resumed,
      #"{task} resumeTaskWithIdentifier, props <private>"#),
    .init(
      "A092", .daemon, #"{task} resuming$"#, .resumed,
      #"{task} resuming"#),
    .init(
      "A093", .daemon, #"{task} has not requested a begin delay"#, .seen,
      #"{task} has not requested a begin delay"#),
    .init(
      "A094", .daemon, #"{task} (should not begin before|adding delay of|can now begin|can begin immediately)"#, .beginDelay,
      #"{task} adding delay of 30"#),
    .init(
      "A095", .daemon, #"{task} skipping delayed request callback"#, .seen,
      #"{task} skipping delayed request callback - delegate not implemented"#),
    .init(
      "A096", .daemon, #"{task} will begin"#, .begun,
      #"{task} will begin"#),
    .init(
      "A097", .daemon, #"{task} for client {} _willSendRequestForEstablishedConnection"#, .seen,
      #"{task} for client <private> _willSendRequestForEstablishedConnection"#),
    .init(
      "A098", .daemon, #"…Client does not implement _willSendRequestForEstablishedConnection"#, .note,
      #"Client does not implement _willSendRequestForEstablishedConnection, so using proposed request"#),
    .init(
      "A099", .daemon, #"{task} for client {} is waiting for connection - reason: {reason:int}"#, .waiting,
      #"{task} for client <private> is waiting for connection - reason: 1"#),
    .init(
      "A100", .daemon, #"{task} for client {} conditions changed - satisfied: {ok:int}"#, .conditionsChanged,
      #"{task} for client <private> conditions changed - satisfied: 1"#),
    .init(
      "A101", .daemon, #"{task} didReceiveResponse: {}, status code: {status:int}"#, .response,
      #"{task} didReceiveResponse: <private>, status code: 200"#),
    .init(
      "A102", .daemon, #"{task} did receive data \({got:int} of {exp:int} total bytes\)"#, .progress,
      #"{task} did receive data (629823296 of 1953496076 total bytes)"#),
    .init(
      "A103", .daemon, #"{task} became download task"#, .seen,
      #"{task} became download task"#),
    .init(
      "A104", .daemon, #"{task} finished downloading to "#, .seen,
      #"{task} finished downloading to <private>"#),
    .init(
      "A105", .daemon, #"{task} completed with error \(null\) [0]"#, .finished,
      #"{task} completed with error (null) [0]"#),
    .init(
      "A106", .daemon, #"{task} completed with error {err} [{code:int}]"#, .finishedWithError,
      #"{task} completed with error <private> [-1001]"#, yieldsTo: ["A105", "A107"]),
    .init(
      "A107", .daemon, #"{task} completed with error {err} \(was active before nsurlsessiond exit\)"#, .finishedWithError,
      #"{task} completed with error -997 (was active before nsurlsessiond exit)"#),
    .init(
      "A108", .daemon, #"{task} for client {} completed successfully"#, .finished,
      #"{task} for client <private> completed successfully"#),
    .init(
      "A109", .daemon, #"{task} for client {} completed with error - code: {code:int?}"#, .finishedWithError,
      #"{task} for client <private> completed with error - code: -1001"#),
    .init(
      "A110", .daemon, #"{task} (for client {} was cancelled|cancelTaskWithIdentifier)"#, .cancelled,
      #"{task} for client <private> was cancelled"#),
    .init(
      "A111", .daemon, #"{task} (for client {} will be retried after error|will retry after)"#, .retried,
      #"{task} for client <private> will be retried after error Error Domain=NSURLErrorDomain Code=-1005"#),
    .init(
      "A112", .daemon,
      #"{task} logTaskError isDownload = {down:word} bytesReceived = {rx:int} bytesSent = {tx:int} isRecoverable = "#, .bytes,
      #"{task} logTaskError isDownload = N bytesReceived = 0 bytesSent = 1186948 isRecoverable = N"#),
    .init(
      "A113", .daemon, #"{task} client acknowledged file download"#, .seen,
      #"{task} client acknowledged file download"#),
    .init(
      "A114", .daemon, #"{task} client acknowledged completion"#, .acknowledged,
      #"{task} client acknowledged completion"#),
    .init(
      "A115", .daemon, #"{task} (restored but never started, terminating with timeout|not resumed but client disconnected)"#,
      .neverStarted,
      #"{task} restored but never started, terminating with timeout"#),
    .init(
      "A116", .daemon, #"{task} received data{}there is no connected client. Canceling task"#, .cancelledWithoutClient,
      #"{task} received data but there is no connected client. Canceling task"#),
    .init(
      "A117", .daemon, #"…(completion woke client: |completion did not wake client and client is not active)"#, .note,
      #"completion woke client: Y"#),
    .init(
      "A118", .daemon, #"…(Will request wake of app|Attempting to launch client|Waking up the client app|Launching application)"#,
      .note,
      #"Attempting to launch client com.example.app"#),
    .init(
      "A119", .daemon, #"…Successfully woke application {} and took process assertion"#, .note,
      #"Successfully woke application com.example.app and took process assertion"#),
    .init(
      "A120", .daemon, #"…(Failed to wake app|Failed to open application|Failed to take process assertion){target}"#,
      .launchFailed,
      #"Failed to wake app com.example.app"#),
    .init(
      "A121", .daemon, #"…Not waking up client {} since {reason}"#, .note,
      #"Not waking up client com.example.app since it is running"#),
    .init(
      "A122", .daemon, #"…Delivering pending events (immediately for client session|for client session)"#, .note,
      #"Delivering pending events for client session com.example.transfer"#),
    .init(
      "A123", .daemon, #"…(Waiting for notification|Received signal) to deliver pending events"#, .note,
      #"Waiting for notification to deliver pending events"#),
    .init(
      "A124", .daemon, #"…(Invalidating assertion for bundleID: {} sessionID:|releaseAssertionForSession)"#, .note,
      #"Invalidating assertion for bundleID: com.example.app sessionID: com.example.transfer"#),
    .init(
      "A125", .daemon, #"…Too many (sessions for app|tasks for app session)"#, .note,
      #"Too many tasks for app session com.example.transfer"#),
    .init(
      "A126", .daemon,
      #"…(Capturing boost activity|Ending boost activity|Holding boost activity|Triggering periodic update to powerlog|is a SpringBoard application)"#,
      .note,
      #"Triggering periodic update to powerlog for client <private>"#),
    .init(
      "A127", .daemon, #"Task <{}>.<{}>.<{:int}> completed with error"#, .note,
      #"Task <com.example.app>.<com.example.transfer>.<3> completed with error - code: -997"#),
    .init(
      "A128", .daemon, #"Task {:int} for client {} completed with error - code: {code:int}"#, .note,
      #"Task 3 for client com.example.app completed with error - code: -1001"#),
    .init(
      "A129", .daemon, #"…Error linking upload file: {err}"#, .sourceUnreadable,
      #"Error linking upload file: Error Domain=NSCocoaErrorDomain Code=257 "(Cocoa error 257.)" UserInfo=0x1 {NSFilePath=/private/var/a.txt}"#
    ),
  ]
}
