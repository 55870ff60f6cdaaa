extension AppleShape {
  /// The lines of an app's process: CFNetwork, UIKit and libraries.
  static let ofApp: [AppleShape] = [
    .init(
      "A001", .network, #"{task} resuming, QOS\(0x{:hex}\){}"#, .resumed,
      #"{task} resuming, QOS(0x9)"#),
    .init(
      "A002", .network, #"{task} resuming, timeouts\({req:number}, {res:number}\) (QOS|qos)\(0x{:hex}\) (Voucher|voucher)"#,
      .resumed,
      #"{task} resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)"#, yieldsTo: ["A003"]),
    .init(
      "A003", .network, #"{task} resuming, timeouts\({req:number}, {res:number}\) qos\(0x{:hex}\) voucher\({}\) activity\("#,
      .resumed,
      #"{task} resuming, timeouts(60.0, 604800.0) qos(0x19) voucher((null)) activity(8F1D2A4E-0A6B-4B7E-9B35-0C5A64D6B111)"#),
    .init(
      "A004", .network, #"[Telemetry]: Activity <nw_activity {} on Task "#, .note,
      #"[Telemetry]: Activity <nw_activity 12:2 [7BCDE36B-A242-494C-A231-77BCE4910CF8] (reporting strategy default)> on Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> was not selected for reporting"#
    ),
    .init(
      "A005", .network, #"{task} \{strength {:int}, tls {:int}, "#, .seen,
      #"{task} {strength 1, tls 8, ct 0, sub 0, sig 0, ciphers 1, bundle 0, builtin 0}"#),
    .init(
      "A006", .network, #"{task} setting up Connection {conn:int}"#, .connecting,
      #"{task} setting up Connection 48"#),
    .init(
      "A007", .network, #"{task} now using Connection {conn:int}"#, .connected,
      #"{task} now using Connection 47"#),
    .init(
      "A008", .network, #"{task} sent request, body {kind:word}"#, .requestSent,
      #"{task} sent request, body N 0"#),
    .init(
      "A009", .network, #"{task} received response, status {status:int} content "#, .response,
      #"{task} received response, status 200 content K"#),
    .init(
      "A010", .network, #"{task} response ended"#, .responseEnded,
      #"{task} response ended"#),
    .init(
      "A011", .network, #"{task} done using Connection {conn:int}"#, .released,
      #"{task} done using Connection 8712"#),
    .init(
      "A012", .network, #"{task} summary for task {end:word} \{{kv}\}"#, .summary,
      #"{task} summary for task success {transaction_duration_ms=59, response_status=200, connection=9, reused=1, request_bytes=244, response_bytes=2612, cache_hit=false}"#
    ),
    .init(
      "A013", .network, #"{task} finished successfully"#, .finished,
      #"{task} finished successfully"#),
    .init(
      "A014", .network, #"{task} finished - cache miss"#, .seen,
      #"{task} finished - cache miss"#),
    .init(
      "A015", .network, #"{task} finished with error [{code:int}] {err}"#, .finishedWithError,
      #"{task} finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 "The request timed out.""#),
    .init(
      "A016", .network, #"{task} finished with error - code: {code:int}"#, .finishedWithError,
      #"{task} finished with error - code: -1004"#),
    .init(
      "A017", .network, #"{task} load failed with error {err}"#, .finishedWithError,
      #"{task} load failed with error Error Domain=NSURLErrorDomain Code=-999 "(null)" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=0} [-999]"#
    ),
    .init(
      "A018", .network, #"{task} HTTP load failed \(error code: {code:int} [{dom:int}:{sub:int}]\)"#, .loadFailed,
      #"{task} HTTP load failed (error code: -1004 [1:61])"#),
    .init(
      "A019", .network, #"{task} HTTP load failed, {tx:int}/{rx:int} bytes \(error code: {code:int} [{dom:int}:{sub:int}]\)"#,
      .loadFailed,
      #"{task} HTTP load failed, 0/0 bytes (error code: -1009 [1:50])"#),
    .init(
      "A020", .network, #"{task} HTTP load canceled, {:int}/{:int} bytes \(error code"#, .loadCancelled,
      #"{task} HTTP load canceled, 0/0 bytes (error code: -999 [1:89])"#),
    .init(
      "A021", .network, #"{task} auth completion disp={disp:int} cred="#, .seen,
      #"{task} auth completion disp=1 cred=0x0"#),
    .init(
      "A022", .network, #"{task} can retry\({:word}\) with reason\({:int}\) for error"#, .seen,
      #"{task} can retry(Y) with reason(1) for error [-1005]"#),
    .init(
      "A023", .network, #"{task} TAKING power assertion"#, .seen,
      #"{task} TAKING power assertion"#),
    .init(
      "A024", .network, #"{task} will be canceled, because client didn't respond to delegate"#, .seen,
      #"{task} will be canceled, because client didn't respond to delegate"#),
    .init(
      "A025", .network, #"{task} : file write to {} failed with posix error {posix:int?}"#, .fileWriteFailed,
      #"{task} : file write to /tmp/x failed with posix error 28"#),
    .init(
      "A026", .network, #"NSURLConnection finished with error - code {code:int}"#, .connectionFailed,
      #"NSURLConnection finished with error - code -1001"#),
    .init(
      "A027", .network, #"Connection {conn:int}: (enabling TLS|starting, TC\(|creating secure)"#, .note,
      #"Connection 48: starting, TC(0x0)"#),
    .init(
      "A028", .network, #"Connection {conn:int}: (connected successfully|TLS handshake complete|ready C\()"#, .note,
      #"Connection 47: ready C(N) E(N)"#),
    .init(
      "A029", .network, #"Connection {conn:int}: (asked to evaluate TLS Trust|TLS Trust result )"#, .note,
      #"Connection 48: TLS Trust result 0"#),
    .init(
      "A030", .network, #"Connection {conn:int}: received (viability advisory\(|advisory\()"#, .note,
      #"Connection 47: received viability advisory(Y)"#),
    .init(
      "A031", .network, #"Connection {conn:int}: received failure notification"#, .note,
      #"Connection 1: received failure notification"#),
    .init(
      "A032", .network, #"Connection {conn:int}: failed to connect {dom:int}:{code:int}, reason"#, .note,
      #"Connection 1: failed to connect 1:50, reason -1"#),
    .init(
      "A033", .network, #"Connection {conn:int}: encountered error\({dom:int}:{code:int}\)"#, .note,
      #"Connection 1: encountered error(1:50)"#),
    .init(
      "A034", .network, #"Connection {conn:int}: encountered bidirectional stream limit"#, .note,
      #"Connection 3: encountered bidirectional stream limit updated event"#),
    .init(
      "A035", .network,
      #"Connection {conn:int}: (timed out with error|encountered read timeout event|encountered write timeout event|encountered low throughput)"#,
      .note,
      #"Connection 5: timed out with error"#),
    .init(
      "A036", .network,
      #"Connection {conn:int}: (cleaning up|done|generating ENOTCONN|reachability changed, issuing ECONNABORTED)"#, .note,
      #"Connection 5: cleaning up"#),
    .init(
      "A037", .network,
      #"Connection {conn:int}: (submitted activity|activity\({}\) start handler called|activity\({}\) suspend handler called|failed to start activity)"#,
      .note,
      #"Connection 5: activity(0x1) start handler called"#),
    .init(
      "A038", .network, #"Connection {conn:int}: summary for unused connection"#, .note,
      #"Connection 5: summary for unused connection {}"#),
    .init(
      "A039", .network, #"TIC (TCP|TLS|Enabling|Read|Write)"#, .note,
      #"TIC TCP Conn Connected [8713:0x111104d50]: Err(16)"#),
    .init(
      "A175", .network, #"_CFNetworkIsConnectedToInternet returning"#, .note,
      #"_CFNetworkIsConnectedToInternet returning 1, flagsValid: 1, flags: 0x2"#),
    .init(
      "A176", .network, #"removing all entries config "#, .note,
      #"removing all entries config 0x600001f5b600"#),
    .init(
      "A040", .network, #"…(CCDS: requirements |submitted to pool NSURLSessionBackgroundPoolName)"#, .note,
      #"activity [0x10fea8fe0] <private> submitted to pool NSURLSessionBackgroundPoolName"#),
    .init(
      "A041", .network, #"0x{:hex} {:int} stalled, attempting fallback"#, .note,
      #"0x1034afc00 12 stalled, attempting fallback"#),
    .init(
      "A042", .network,
      #"(Initializing {}singleton|Creating default cookie storage|Garbage collection for|System Trust Evaluation yielded)"#,
      .note,
      #"System Trust Evaluation yielded status(-9802)"#),
    .init(
      "A043", .network, #"…background session setup will wait for reply: session {obj} with identifier {ident}"#, .sessionAsked,
      #"background session setup will wait for reply: session <NSURLBackgroundSession: 0x1> with identifier com.example.transfer"#
    ),
    .init(
      "A044", .network, #"{session} background session setup (reply received|complete)"#, .sessionConnected,
      #"{session} background session setup complete"#),
    .init(
      "A045", .network,
      #"{session} (Failed to setup background NSURLSession|an error occurred on the xpc connection to setup){err}"#,
      .sessionFailed,
      #"{session} an error occurred on the xpc connection to setup the background session: Error Domain=NSCocoaErrorDomain Code=4097 "connection to service""#
    ),
    .init(
      "A046", .network, #"{session} attempting to setup a background session before first device unlock"#, .sessionLocked,
      #"{session} attempting to setup a background session before first device unlock"#),
    .init(
      "A047", .network, #"{session} connection to background transfer daemon interrupted"#, .daemonInterrupted,
      #"{session} connection to background transfer daemon interrupted"#),
    .init(
      "A048", .network, #"{session} connection to background transfer daemon invalidated"#, .daemonInvalidated,
      #"{session} connection to background transfer daemon invalidated"#),
    .init(
      "A049", .network, #"{session} attempting to reconnect to background transfer daemon"#, .sessionReconnecting,
      #"{session} attempting to reconnect to background transfer daemon"#),
    .init(
      "A050", .network, #"{session} Reconnection to existing session and state complete"#, .sessionReconnected,
      #"{session} Reconnection to existing session and state complete"#),
    .init(
      "A051", .network, #"{session} no connection to background transfer daemon, and will not try to reconnect"#,
      .daemonInvalidated,
      #"{session} no connection to background transfer daemon, and will not try to reconnect"#),
    .init(
      "A052", .network,
      #"{session} failed to create a background NSURLSession(DownloadTask|UploadTask|DataTask), as remote session is unavailable"#,
      .taskUnavailable,
      #"{session} failed to create a background NSURLSessionDownloadTask, as remote session is unavailable"#),
    .init(
      "A053", .network, #"{session} error requesting a NSURLSession{kind:word} from background transfer daemon"#, .taskNotMade,
      #"{session} error requesting a NSURLSessionUploadTask from background transfer daemon"#),
    .init(
      "A054", .network, #"{session} attempted to create a NSURLSession{kind:word} in a session that has been invalidated"#,
      .taskInInvalidSession,
      #"{session} attempted to create a NSURLSessionDataTask in a session that has been invalidated"#),
    .init(
      "A055", .network, #"{session} (Invalid URL scheme|Invalid resume data|Cannot create upload task with corrupt resume data)"#,
      .taskInvalid,
      #"{session} Invalid resume data"#),
    .init(
      "A056", .network, #"{session} client transitioning to background"#, .background,
      #"{session} client transitioning to background"#),
    .init(
      "A057", .network, #"{session} client transitioning to foreground"#, .foreground,
      #"{session} client transitioning to foreground"#),
    .init(
      "A058", .network, #"{session} client was launched for background session"#, .woken,
      #"{session} client was launched for background session"#),
    .init(
      "A059", .network, #"{session} Already invalidating"#, .sessionSeen,
      #"{session} Already invalidating"#),
    .init(
      "A060", .network, #"{session} (FAILED to UNLINK download file|didFinishDownloadingToURL received nil location)"#,
      .sessionSeen,
      #"{session} didFinishDownloadingToURL received nil location"#),
    .init(
      "A061", .network, #"…Failed to issue sandbox extension for file {file}, errno = {posix:int}"#, .sourceUnreadable,
      #"Failed to issue sandbox extension for file file:///private/var/a.txt, errno = 1"#),
    .init(
      "A062", .network, #"A background URLSession with identifier {ident} already exists"#, .duplicateSession,
      #"A background URLSession with identifier com.example.transfer already exists!"#),
    .init(
      "A063", .network, #"…Completion handler blocks are not supported in background sessions"#, .handlerInBackground,
      #"*** Terminating app due to uncaught exception 'NSGenericException', reason: 'Completion handler blocks are not supported in background sessions. Use a delegate instead.'"#
    ),
    .init(
      "A064", .network, #"…Upload tasks from NSData are not supported in background sessions"#, .bodyInBackground,
      #"Upload tasks from NSData are not supported in background sessions"#),
    .init(
      "A065", .network, #"…Task created in a session that has been invalidated"#, .taskInInvalidSession,
      #"*** Terminating app due to uncaught exception 'NSGenericException', reason: 'Task created in a session that has been invalidated'"#
    ),
    .init(
      "A066", .network, #"…Background upload from a file {file} is not supported. Please reduce the file protection class"#,
      .sourceUnreadable,
      #"Background upload from a file /var/a is not supported. Please reduce the file protection class"#),
    .init(
      "A067", .network,
      #"…Application delegate received call to -application:handleEventsForBackgroundURLSession:completionHandler: but the completion handler was never called"#,
      .handlerNeverCalled,
      #"Warning: Application delegate received call to -application:handleEventsForBackgroundURLSession:completionHandler: but the completion handler was never called."#
    ),
    .init(
      "A159", .app, #"…Background Task {id:int}{name}, was created over 30 seconds ago"#, .timeOverdue,
      #"Background Task 261 ("upload"), was created over 30 seconds ago."#),
    .init(
      "A160", .app, #"…Background task still not ended after expiration handlers were called: {}taskID = {id:int}"#,
      .timeNotEnded,
      #"Background task still not ended after expiration handlers were called: <_UIBackgroundTaskInfo: 0x1>: taskID = 261, taskName = upload"#
    ),
    .init(
      "A161", .app,
      #"…Can't end (BackgroundTask|Background Task|background task): no background task exists with identifier {id:int}"#, .note,
      #"Can't end BackgroundTask: no background task exists with identifier 5"#),
    .init(
      "A162", .app, #"…(_UIApplicationBeginBackgroundTask|_UIApplicationEndBackgroundTask|_doAddBackgroundTask)"#, .note,
      #"_UIBackgroundTaskInfo *_doAddBackgroundTask(NSString *)_block_invoke: Creating new assertion"#),
    .init(
      "A163", .network, #"[C{:number} {}] (event: |start|cancel)"#, .note,
      #"[C48 Hostname#d74f0000:443 initial path ((null))] event: path:start @0.000s"#),
    .init(
      "A164", .network, #"…nw_connection_report_state_with_handler_on_nw_queue [C{:int}] reporting state {st:word}"#, .note,
      #"nw_connection_report_state_with_handler_on_nw_queue [C48] reporting state preparing"#),
    .init(
      "A165", .network, #"…nw_read_request_report [C{:int}] Receive failed with error "{err}""#, .note,
      #"nw_read_request_report [C1] Receive failed with error "Software caused connection abort""#),
    .init(
      "A166", .network, #"…nw_socket_handle_socket_event [C{}] Socket SO_ERROR [{err}]"#, .note,
      #"nw_socket_handle_socket_event [C1.1:3] Socket SO_ERROR [61: Connection refused]"#),
    .init(
      "A167", .network, #"…nw_(endpoint_flow|flow_connected|endpoint_resolver|protocol_boringssl)"#, .note,
      #"nw_endpoint_flow_protocol_connected [C8713.1 IPv4#aabbccdd:443 ready channel-flow (satisfied)] Output protocol connected"#
    ),
    .init(
      "A168", .network, #"…quic_conn_keepalive_handler [C"#, .note,
      #"quic_conn_keepalive_handler [C1.1.1:2] keep-alive timer fired, exceeding 2 outstanding keep-alives"#),
    .init(
      "A169", .network, #"(tcp_input|tcp_output) [C"#, .note,
      #"tcp_input [C3.1:3] flags=[R] seq=2586725135"#),
    .init(
      "A170", .network, #"boringssl_"#, .note,
      #"boringssl_context_info_handler(2118) [C1.1:2]"#),
    .init(
      "A171", .network, #"…CFNetwork Diagnostics [{:int}:{:int}] {t:word} \{"#, .note,
      #"CFNetwork Diagnostics [3:1] 21:22:33.009 {"#),
    .init(
      "A173", .app, #"…didCompleteWithError Error Domain={err}"#, .libraryFailed,
      #"[RNFetchBlobRequest] session didCompleteWithError Error Domain=NSURLErrorDomain Code=-997 "Lost connection""#),
    .init(
      "A174", .app, #"…session didBecomeInvalidWithError"#, .libraryInvalidated,
      #"[RNFetchBlobRequest] session didBecomeInvalidWithError (null)"#),
    .init(
      "A177", .app, #"…Error Domain=NSURLErrorDomain Code={code:int}{}Task <{failed}>.<{failedNumber:int}>"#, .libraryFailed,
      #"""
      upload: Error Domain=NSURLErrorDomain Code=-1001 "The request timed out." UserInfo={_NSURLErrorFailingURLSessionTaskErrorKey=\#
      LocalDataTask <11DEB08D-2303-4731-A849-80B9E9BBE24F>.<5>, NSLocalizedDescription=The request timed out.}
      """#),
    .init(
      "A178", .network, #"[C{:number}] event: "#, .note,
      #"[C1] event: client:connection_idle @0.128s"#),
    .init(
      "A179", .network, #"…nw_{:word} [C"#, .note,
      #"nw_write_request_report [C42] Send failed with error "Socket is not connected""#,
      yieldsTo: ["A164", "A165", "A166", "A167"]),
    .init(
      "A180", .network, #"…quic_{:word} [C"#, .note,
      #"quic_conn_initialize_inner [C3.1.2.1:2] [-811c1a04aa6c352b] created QUIC connection (spin bit enabled)"#,
      yieldsTo: ["A168"]),
    .init(
      "A181", .network, #"{task} waiting for setup of Connection {conn:int}"#, .connecting,
      #"{task} waiting for setup of Connection 3"#),
    .init(
      "A186", .app, #"…(NSURLErrorDomain|kCFErrorDomainCFNetwork) Code={code:int}( |  )""#, .errorPrinted,
      #"Upload failed: Error Domain=NSURLErrorDomain Code=-1005 "The network connection was lost.""#,
      yieldsTo: ["A015", "A017", "A173", "A177"]),
    .init(
      "A187", .app, #"…Error Domain=NSPOSIXErrorDomain Code={code:int} "{}_kCFStreamErrorCodeKey="#, .errorPrinted,
      #"Error Domain=NSPOSIXErrorDomain Code=28 "No space left on device" UserInfo={_kCFStreamErrorCodeKey=28, _kCFStreamErrorDomainKey=1}"#
    ),
    .init(
      "A188", .network, #"Invalid resume data for background download"#, .taskInvalid,
      #"Invalid resume data for background download. Background downloads must use http or https and must download to an accessible file."#
    ),
    .init(
      "A189", .network,
      #"Connection {conn:int}: (system TLS Trust evaluation failed|TLS Trust encountered error|received ECONNRESET)"#, .note,
      #"Connection 76: TLS Trust encountered error 3:-9802"#),
    .init(
      "A190", .network, #"ATS failed system trust"#, .note,
      #"ATS failed system trust"#),
    .init(
      "A191", .network, #"…NECP_CLIENT_ACTION_ADD_FLOW {} [{err}]"#, .note,
      #"nw_path_evaluator_create_flow_inner NECP_CLIENT_ACTION_ADD_FLOW 7139A7A4-7A1B-4B0B-8C6A-D7F1B2C3D4E5 [28: No space left on device]"#
    ),
    .init(
      "A193", .app, #"…\(NSURLErrorDomain error {code:int}"#, .errorPrinted,
      #"The operation couldn’t be completed. (NSURLErrorDomain error -999.)"#),
  ]
}
