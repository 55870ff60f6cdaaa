import Foundation
import LogTestSupport
import Testing

/// Short excerpts as people paste them into issues: without a header, cut, quoted, with hidden names. What they do not show must not be said.
@Suite struct PastedExcerptTests {
  private let directory = TemporaryDirectory()
  private static let uid = "6B29FC40-CA47-1067-B31D-00DD010662DA"

  struct Excerpt: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// The first task: its outcome, the domain and the number of its error.
    let task: String
    var status: Int32 = 0
    /// What the text of the replay must and must not contain.
    var says: [String] = []
    var saysNot: [String] = []

    var testDescription: String { name }
  }

  private static let excerpts: [Excerpt] = [
    .init(
      name: "a bare error of the app",
      text:
        "Error Domain=NSURLErrorDomain Code=-997 \"Lost connection to background transfer service\" UserInfo={NSErrorFailingURLStringKey=https://a.example/x}\n",
      task: "failed url -997", status: 1, says: ["-997"]),
    .init(
      name: "an error of the app within a sentence of its log",
      text:
        "Upload failed: couldNotUpload(underlying: Error Domain=NSURLErrorDomain Code=-999 \"(null)\" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=0})\n",
      task: "cancelled url -999", status: 1),
    .init(
      name: "an error behind its text, in a line with a tag",
      text:
        "[Flipper] 10:11:12.131 Plugin: Error: Could not connect to the server. Error Domain=NSURLErrorDomain Code=-1004 \"Could not connect to the server.\" UserInfo={NSErrorFailingURLStringKey=http://a.example/x}\n",
      task: "failed url -1004", says: ["transport-failed (certain)"]),
    .init(
      name: "an address that App Transport Security refused",
      text:
        "Task <\(uid)>.<3> finished with error [-1022] Error Domain=NSURLErrorDomain Code=-1022 \"The resource could not be loaded because the App Transport Security policy requires the use of a secure connection.\"\n",
      task: "failed url -1022", says: ["transfer-failed (certain)", "RequiresSecureConnection (-1022)."]),
    .init(
      name: "a lost connection without earlier lines",
      text:
        "Task <\(uid)>.<22> finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 \"The network connection was lost.\" UserInfo={_kCFStreamErrorCodeKey=53}\n",
      task: "failed url -1005", saysNot: ["stage"]),
    .init(
      name: "an unsigned number with commas",
      text: """
        Task <\(uid)>.<1> HTTP load failed, 0/0 bytes (error code: 18,446,744,073,709,550,607 [1:50])
        Task <\(uid)>.<1> finished with error [18,446,744,073,709,550,607] Error Domain=NSURLErrorDomain Code=-1009 "The Internet connection appears to be offline."

        """, task: "failed url -1009"),
    .init(
      name: "an error whose lines are broken",
      text: """
        Upload failed: Error
        Domain=NSURLErrorDomain Code=-1005 "The network
        connection was lost." UserInfo={_kCFStreamErrorCodeKey=57, NSUnderlyingError=0x2832d4a50 {Error
        Domain=kCFErrorDomainCFNetwork Code=-1005 "(null)" UserInfo={_kCFStreamErrorCodeKey=57}}}

        """, task: "failed url -1005", saysNot: ["2 tasks"]),
    .init(
      name: "an error whose description begins a line",
      text: """
        > Error Domain=NSURLErrorDomain Code=-1001 "The request
        > timed out."
        > UserInfo={NSErrorFailingURLStringKey=https://a.example/x}

        """, task: "failed url -1001", saysNot: ["2 tasks"]),
    .init(
      name: "lines of Appium",
      text: """
        [debug] [XCUITestDriver@2f5a (8d7e5c1e)] [SimulatorLog] 2024-06-02 14:02:11.345 Df Maps[6621:1a2b3c] [com.apple.CFNetwork:Default] Task <\(uid)>.<2> resuming, timeouts(60.0, 604800.0) qos(0x19)
        [debug] [XCUITestDriver@2f5a (8d7e5c1e)] [SimulatorLog] 2024-06-02 14:02:12.345 Df Maps[6621:1a2b3c] [com.apple.CFNetwork:Default] Task <\(uid)>.<2> finished with error [-1004] Error Domain=NSURLErrorDomain Code=-1004 "Could not connect to the server."

        """, task: "failed url -1004", says: ["14:02:12"]),
    .init(
      name: "line numbers before spaces",
      text: """
          1  2024-06-02 14:02:11.345678+0200 Maps[6621:77] [Default] Task <\(uid)>.<2> resuming, timeouts(60.0, 604800.0) qos(0x19)
          2  2024-06-02 14:02:12.345678+0200 Maps[6621:77] [Default] Task <\(uid)>.<2> finished with error [-1004] Error Domain=NSURLErrorDomain Code=-1004 "Could not connect to the server."

        """, task: "failed url -1004", says: ["12:02:12"]),
    .init(
      name: "messages of WorkManager without their tag",
      text: "Worker result FAILURE for Work [ id=3c1b3b6e-2f3d-4b7a-9c40-6f6c0a7a8b11, tags={ com.example.UploadWorker } ]\n",
      task: "failed other -1", says: ["transfer-failed"]),
    .init(
      name: "a request that the browser blocked",
      text: """
        {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-11-20T10:00:00.000Z","time":1,"request":{"method":"GET","url":"https://a.example/x"},"response":{"status":0,"_error":"net::ERR_BLOCKED_BY_CLIENT"}}]}}

        """, task: "failed other -20", says: ["transfer-failed"]),
    .init(
      name: "an error of errno",
      text: """
        2024-04-18 19:00:11.675594+1200 Pictures[31595:3383774] Task <\(uid)>.<124> HTTP load failed (error code: 100 [1:100])
        2024-04-18 19:00:11.675671+1200 Pictures[31595:3383772] Task <\(uid)>.<124> finished with error - code: 100

        """, task: "failed posix 100", says: ["failed on the network: EPROTO (100)"]),
    .init(
      name: "another error for the app than in the first line",
      text: """
        2024-05-29 09:22:10.974815-0400 Shop[2157:1463828] Task <\(uid)>.<1> finished with error - code: -998
        2024-05-29 09:22:10.975854-0400 Shop[2157:1463611] Task <\(uid)>.<1> load failed with error Error Domain=NSURLErrorDomain Code=-1 "unknown error"

        """, task: "failed url -1"),
    .init(
      name: "an indented block with the error of a connection behind that of the task",
      text: """
            Task <\(uid)>.<1> finished with error - code: -1004
            0.007s [1 28B947E7-8B17-4072-8BBC-BFCC919E8D9D 127.0.0.1:49603] flow:failed_connect Error Domain=kNWErrorDomainPOSIX Code=61 "Connection refused"

        """, task: "failed - -1004"),
    .init(
      name: "NSURLConnection, which does not name its task",
      text: """
        2024-03-09 10:51:12.783247+0800 Editor[1753:21834] Task <\(uid)>.<0> HTTP load failed (error code: -1005 [4:-4])
        2024-03-09 10:51:12.783482+0800 Editor[1753:21891] NSURLConnection finished with error - code -1005

        """, task: "failed url -1005"),
    .init(
      name: "a header without a space behind its offset",
      text:
        "2024-01-31 14:04:29.384965+0530Shop[2014:1078064] Task <\(uid)>.<9> finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 \"The request timed out.\"\n",
      task: "failed url -1001", says: ["Shop/9", "08:34:29.384965"]),
    .init(
      name: "the compact style with a break behind the header",
      text: """
        2025-12-24 14:52:31.912 Df Shop[93962:38d113] 
        [com.apple.CFNetwork:Default] Task <\(uid)>.<1> sent request, body N 0
        2025-12-24 14:52:31.943 Df Shop[93962:38d113] 
        [com.apple.CFNetwork:Summary] Task <\(uid)>.<1> 
        summary for task failure {
          transaction_duration_ms=137,
          response_status=-1
        }
        2025-12-24 14:52:31.944 Df Shop[93962:38d113] 
        [com.apple.CFNetwork:Default] Task <\(uid)>.<1> finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 "lost"

        """, task: "failed url -1005", says: ["Shop/1", "3 recognised"]),
    .init(
      name: "a summary of a failure alone",
      text:
        "Oct 11 09:21:10 Shop(CFNetwork)[2146] <Notice>: Task <\(uid)>.<111> summary for task failure {transaction_duration_ms=534, response_status=-1, connection=3, reused=1}\n",
      task: "open - -", says: ["Shop/111 failed"]),
    .init(
      name: "a worker that was stopped",
      text: """
        I/WM-WorkerWrapper( 5928): Work [ id=d4ec6c77-b6ba-463c-8a3d-4c94c3d68315, tags={ DownloadTaskWorker } ] was cancelled
        I/WM-WorkerWrapper( 5928): java.util.concurrent.CancellationException: Task was cancelled.

        """, task: "open - -", saysNot: ["cancelled", "by app"]),
    .init(
      name: "a worker behind a comment mark",
      text:
        "// I/WM-WorkerWrapper(12202): Worker result FAILURE for Work [ id=78e95445-4759-4cfa-ade6-3dea7c66ae32, tags={ x } ]\n",
      task: "failed other -1", says: ["transfer-failed"]),
    .init(
      name: "lines of flutter and of Android",
      text: """
        Initializing gradle...
        I/WM-WorkerWrapper(12202): Worker result FAILURE for Work [ id=78e95445-4759-4cfa-ade6-3dea7c66ae32, tags={ x } ]

        """, task: "failed other -1"),
    .init(
      name: "OkHttp cannot find the host",
      text: """
        01-03 00:11:23.208 8172-9037/org.example.app D/OkHttp: --> GET https://api.example.com/v4/x
        01-03 00:11:23.209 8172-9037/org.example.app D/OkHttp: --> END GET
        01-03 00:11:23.608 8172-9037/org.example.app D/OkHttp: <-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host

        """, task: "failed other -1", says: ["stage connect (name lookup)", "--date and --timezone"]),
    .init(
      name: "OkHttp's failure alone",
      text: "I/okhttp.OkHttpClient: <-- HTTP FAILED: java.net.UnknownServiceException: CLEARTEXT communication not permitted\n",
      task: "failed other -1", saysNot: ["stage"]),
    .init(
      name: "a tag without a process",
      text: "E DownloadManager: [6] Failed: java.lang.IllegalArgumentException: Invalid UUID string: D465-1BEB\n",
      task: "open - -", says: ["DownloadManager/6 failed"]),
    .init(
      name: "curl within backticks", text: "`curl: (92) HTTP/2 stream 0 was not closed cleanly: PROTOCOL_ERROR (err 1)`\n",
      task: "failed curl 92", saysNot: ["stage"]),
    .init(
      name: "curl's incomplete body", text: "    curl: (18) transfer closed with 199589115 bytes remaining to read\n",
      task: "failed curl 18",
      says: ["stage body"]),
    .init(
      name: "an incomplete upload of an FTP server",
      text: "Mon May 27 10:23:42 2024 0 192.0.2.8 17458 data/file.tar.gz b _ i r ACCOUNT1 sftp 0 * i\n", task: "failed other -1",
      says: ["transfer-failed"]),
    .init(
      name: "a body without a line end before curl's next message",
      text: """
        * Connected to h.example (192.0.2.1) port 80 (#0)
        > GET /x HTTP/1.1
        > Host: h.example
        >
        < HTTP/1.1 200 OK
        < Content-Length: 13
        <
        <html></html>* Connection #0 to host h.example left intact

        """, task: "succeeded - -", saysNot: ["truncated"]),
    .init(
      name: "an error behind the words of a program",
      text: "Download failed with error Error Domain=NSURLErrorDomain Code=-1005 \"The network connection was lost.\"\n",
      task: "failed url -1005"),
    .init(
      name: "curl's number of the first bytes of a body",
      text: """
        * Connected to h.example (192.0.2.4) port 80
        > GET /big HTTP/1.1
        > Host: h.example
        >
        < HTTP/1.1 200 OK
        < Content-Length: 3000000
        <
        { [102283 bytes data]
        100 2929k  100 2929k    0     0   129M      0 --:--:-- --:--:-- --:--:--  132M
        * Connection #0 to host h.example left intact

        """, task: "succeeded - -", saysNot: ["truncated", "102283", "undecided"]),
    .init(
      name: "a size in curl's error",
      text: """
        * Connected to h.example (192.0.2.4) port 80
        > GET /short HTTP/1.1
        > Host: h.example
        >
        < HTTP/1.1 200 OK
        < Content-Length: 3000000
        <
        { [102264 bytes data]
        * transfer closed with 2000000 bytes remaining to read
        * Closing connection 0
        curl: (18) transfer closed with 2000000 bytes remaining to read

        """, task: "failed curl 18", says: ["stage body (1000000 of 3000000 bytes)", "1 task (1 failed)"]),
    .init(
      name: "curl's error before the lines of its trace",
      text: """
        == Info: Connected to 127.0.0.1 (127.0.0.1) port 80 (#0)
        => Send header, 20 bytes (0x14)
        0000: GET /short HTTP/1.1
        curl: (18) transfer closed with 2000000 bytes remaining to read
        == Info: transfer closed with 2000000 bytes remaining to read
        == Info: Closing connection 0

        """, task: "failed curl 18", says: ["1 task (1 failed)", "1 finding"]),
    .init(
      name: "bytes of TLS behind a body",
      text: """
        * Connected to h.example (192.0.2.4) port 443 (#0)
        > GET /f HTTP/2
        > Host: h.example
        >
        < HTTP/2 200
        < content-length: 72771174
        <
        { [8192 bytes data]
        * HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)
        } [5 bytes data]
        * TLSv1.2 (OUT), TLS alert, Client hello (1):
        } [2 bytes data]
        curl: (92) HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)

        """, task: "failed curl 92", says: ["stage body"], saysNot: ["7 bytes"]),
    .init(
      name: "a time limit with the size that arrived",
      text: "curl: (28) Operation timed out after 2859 milliseconds with 12499238 out of 17313792 bytes received\n",
      task: "failed curl 28", says: ["12499238"], saysNot: ["timeout-but-never-sent"]),
    .init(
      name: "a range that the server does not have",
      text: """
        > GET /node.tar.gz HTTP/1.1
        > Host: h.example
        > Range: bytes=5119341-
        >
        < HTTP/1.1 416 Requested Range Not Satisfiable
        < Content-Range: bytes */5119135
        <
        * HTTP server doesn't seem to support byte ranges. Cannot resume.
        * Closing connection 0

        """, task: "failed curl 33", saysNot: ["failed on the network", "-C -"]),
    .init(
      name: "a file that is complete already",
      text: """
        * Connected to h.example (192.0.2.4) port 80
        > GET /f.bin HTTP/1.1
        > Host: h.example
        > Range: bytes=1234567-
        >
        < HTTP/1.1 416 Requested Range Not Satisfiable
        < Content-Range: bytes */1234567
        <
        * Connection #0 to host h.example left intact

        """, task: "succeeded - -"),
    .init(
      name: "a worker that is to run again",
      text: """
        11-02 10:00:00.000  500  522 D WM-Processor: Processor: processing WorkGenerationalId(workSpecId=aaaaaaaa-0000-4000-8000-000000000001, generation=0)
        11-02 10:00:05.000  500  521 I WM-WorkerWrapper: Worker result RETRY for Work [ id=aaaaaaaa-0000-4000-8000-000000000001, tags={ com.example.UploadWorker } ]

        """, task: "open - -", says: ["open: WorkManager/1 held"]),
    .init(
      name: "a second run of a worker that was stopped",
      text: """
        09-18 17:07:32.281  8123  8171 I WM-WorkerWrapper: Work [ id=12bfb4ae-8d1c-4f0e-9d0a-3b6f5b1f8e11, tags={ com.example.DownloadWorker } ] was cancelled
        09-18 17:07:32.438  8123  8140 D WM-SystemJobService: onStartJob for WorkGenerationalId(workSpecId=12bfb4ae-8d1c-4f0e-9d0a-3b6f5b1f8e11, generation=0)
        09-18 17:10:15.818  8123  8172 I WM-WorkerWrapper: Worker result FAILURE for Work [ id=12bfb4ae-8d1c-4f0e-9d0a-3b6f5b1f8e11, tags={ com.example.DownloadWorker } ]

        """, task: "failed other -1", saysNot: ["stopped"]),
    .init(
      name: "the memory killer of older Androids",
      text: """
        10-24 14:24:20.035  17933 17990 I OkHttp: --> GET https://x.example/big.bin
        10-24 14:24:26.342   710   710 I lowmemorykiller: Killing 'com.example.app' (17933), uid 10446, adj 906
        10-24 14:24:26.400  1310  1500 I ActivityManager: Process com.example.app (pid 17933) has died: cch+6CEM

        """, task: "lost - -", says: ["com.example.app died (the system needed its memory)"], saysNot: ["cause unknown"]),
    .init(
      name: "a full disk on Android",
      text: """
        09-21 17:45:00.000  2001  2050 D DownloadManager: [201] Starting
        09-21 17:45:00.956  2001  2050 W DownloadManager: [201] Stop requested with status INSUFFICIENT_SPACE_ERROR: not enough free space; need 1073741824, have 2097152
        09-21 17:45:00.958  2001  2050 D DownloadManager: [201] Finished with status INSUFFICIENT_SPACE_ERROR

        """, task: "failed other -1", says: ["disk-full"]),
    .init(
      name: "a POSIX error of the app",
      text: "Error Domain=NSPOSIXErrorDomain Code=28 \"No space left on device\" UserInfo={_kCFStreamErrorCodeKey=28}\n",
      task: "failed posix 28", says: ["transfer-failed (certain)", "posix 28"]),
    .init(
      name: "a process that jetsam ended",
      text: """
        default\t10:00:00.000000+0100\tMyApp\tTask <\(uid)>.<2> resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)
        default\t10:00:05.100000+0100\tkernel\tmemorystatus: killing_specific_process pid 994 [MyApp] (per-process-limit 100 12s rf:- type:app) 78850KB - memorystatus_available_pages: 114015
        default\t10:00:05.200000+0100\tReportSystemMemory\tProcess MyApp [994] killed by jetsam reason per-process-limit

        """, task: "unknown - -", says: ["memory"]),
    .init(
      name: "a daemon that is to try again",
      text: """
        default\t16:34:12.513323 +0200\tnsurlsessiond\tTask <\(uid)>.<1547> failed to restore in progress download task
        default\t16:34:12.514446 +0200\tnsurlsessiond\tTask <\(uid)>.<1547> will retry after 1 seconds

        """, task: "open - -", says: ["held"]),
    .init(
      name: "Android Studio's window without the column of the application",
      text: """
        2026-08-25 09:30:26.992 1023-1344 WM-WorkerWrapper        I  Worker result RETRY for Work [ id=04d8713e-991c-4a99-9259-5cff74d1510d, tags={ SYNC } ]
        2026-08-25 09:30:39.216 1023-1116 WM-WorkerWrapper        I  Worker result FAILURE for Work [ id=04d8713e-991c-4a99-9259-5cff74d1510d, tags={ SYNC } ]

        """, task: "failed other -1", says: ["transfer-failed"]),
    .init(
      name: "work that WorkManager names after its end",
      text: """
        01-14 23:14:33.219  2453  2532 I WM-WorkerWrapper: Worker result SUCCESS for Work [ id=8e4fba35-c8a7-4b4f-bd47-0f5a8edd2c3a, tags={ Download } ]
        01-14 23:14:33.220  2453  2532 D WM-GreedyScheduler: Cancelling work ID 8e4fba35-c8a7-4b4f-bd47-0f5a8edd2c3a

        """, task: "succeeded - -"),
    .init(
      name: "a hidden name of a task",
      text: "Task <...> finished with error [-1004] ... NSErrorFailingURLStringKey=https://localhost:8000/api/confirm\n",
      task: "failed - -1004"),
    .init(
      name: "a shortened name of a task",
      text: """
        Task <6DF84C44-…>.<5> HTTP load failed, 0/0 bytes (error code: -1004 [1:61])
        Task <6DF84C44-…>.<5> finished with error [-1004] Error Domain=NSURLErrorDomain Code=-1004 "Could not connect to the server."

        """, task: "failed url -1004"),
    .init(
      name: "a load that was cancelled",
      text:
        "2026-01-01 10:00:00.000000+0200 Downloader[963:1] [com.apple.CFNetwork:Default] Task <\(uid)>.<1> HTTP load canceled, 0/0 bytes (error code: -999)\n",
      task: "open - -", saysNot: ["waits"]),
    .init(
      name: "a lost connection after the task was resumed",
      text: """
        Task <\(uid)>.<1> resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)
        Task <\(uid)>.<1> finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 "The network connection was lost."

        """, task: "failed url -1005", saysNot: ["stage"]),
    .init(
      name: "a request that Android's policy refused",
      text: """
        D/OkHttp: --> GET http://h/
        D/OkHttp: <-- HTTP FAILED: java.net.UnknownServiceException: CLEARTEXT communication to h not permitted by network security policy

        """, task: "failed other -1", saysNot: ["on the network"]),
    .init(
      name: "a TLS handshake that the peer ended",
      text: """
        D/OkHttp: --> GET https://h/
        D/OkHttp: <-- HTTP FAILED: javax.net.ssl.SSLHandshakeException: SSL handshake aborted

        """, task: "failed other -1", says: ["transport-failed"]),
  ]

  @Test(arguments: excerpts)
  func `The error and the stage are those of the excerpt`(_ excerpt: Excerpt) throws {
    let path = try directory.write(Array(excerpt.text.utf8), to: "paste.txt")
    let json = try ToolRun.xferlog("replay", "-o", "json", path)
    let document = try #require(
      try? JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [String: Any], "\(json.standardError)")
    let tasks = document["tasks"] as? [[String: Any]] ?? []
    let error = tasks.first?["error"] as? [String: Any]
    let number = (error?["number"] as? Int).map { "\($0)" } ?? "-"
    #expect(tasks.count == 1)
    #expect("\(tasks.first?["outcome"] ?? "") \(error?["domain"] as? String ?? "-") \(number)" == excerpt.task)
    let text = try ToolRun.xferlog("replay", path)
    #expect(text.status == excerpt.status, "\(text.text)\(text.standardError)")
    for words in excerpt.says { #expect(text.text.contains(words), "\(text.text)") }
    for words in excerpt.saysNot { #expect(!text.text.contains(words), "\(text.text)") }
    // The same excerpt in a quotation, and on standard input.
    let quoted = excerpt.text.split(separator: "\n").map { "> \($0)\n" }.joined()
    let piped = try ToolRun.xferlog("replay", "-o", "json", "-", input: Array(quoted.utf8))
    let other = try? JSONSerialization.jsonObject(with: Data(piped.standardOutput)) as? [String: Any]
    #expect((other?["tasks"] as? [[String: Any]])?.first?["outcome"] as? String == tasks.first?["outcome"] as? String)
  }

  @Test(arguments: [
    "# A background URLSession with identifier appid.backgrounddownloadtask already exists\n\nI get this when I download a file.\n",
    "How do I avoid \"A background URLSession with identifier com.foo.bar already exists\"? We never saw it in our logs.\n",
  ])
  func `A sentence about a message is not the message`(_ text: String) throws {
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "prose.txt"))
    #expect([2, 3].contains(run.status) && !run.text.contains("duplicate-session-identifier"), "\(run.text)")
  }

  @Test func `An error within a sentence is no task`() throws {
    let text =
      "1. When the user kills the application, background uploading may end too with an error Error Domain=NSURLErrorDomain Code=-999 \"(null)\" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=0}\n"
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "prose.txt"))
    #expect(run.text.contains("0 tasks, 0 findings"), "\(run.text)\(run.standardError)")
  }

  /// The lines by which Apple's systems say how a process ended, and the end in the event.
  @Test(arguments: [
    (
      "default\t14:57:26.048506-0400\tSpringBoard\t[application<app.example>:8295] Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:jetsam(1) code:per-process-limit(7)>>.\n",
      "memoryPressure", "8295"
    ),
    (
      "2026-10-06 00:18:48.912 Df SpringBoard[80966:a1da12] [com.apple.FrontBoard:Process] Process exited: <FBApplicationProcess; app<com.example.app>:74759> -> <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGSEGV(11)>>\n",
      "crashed", "74759"
    ),
    (
      "2020-10-09 10:00:01.000000+0200 runningboardd[33:5] [com.apple.runningboard:process] [application<com.example.app>:432] termination reported by launchd (2, 9, 9)\n",
      "signal", "432"
    ),
    (
      "2020-10-09 10:00:01.000000+0200 runningboardd[33:5] [com.apple.runningboard:process] [application<com.example.app>:432] termination reported by launchd (1, 7, 9)\n",
      "memoryPressure", "432"
    ),
    (
      "2026-10-06 00:18:48.912 Df runningboardd[33:a1] [com.apple.runningboard:process] [app<com.example.app>:85886] exited with context <RBSProcessExitContext| voluntary>\n",
      "exitCall", "85886"
    ),
    (
      "Jun 19 15:08:14 iPhone backboardd[28] <Warning>: Application 'UIKitApplication:com.example.app[0x1828]' exited abnormally with signal 9: Killed: 9\n",
      "signal", "com.example.app"
    ),
  ])
  func `The end of a process has the reason of its line`(_ text: String, reason: String, process: String) throws {
    let run = try ToolRun.xferlog("show", try directory.write(Array(text.utf8), to: "paste.txt"), "-o", "json")
    #expect(run.text.contains("\"\(reason)\"") && run.text.contains(process), "\(run.text)\(run.standardError)")
  }

  @Test(arguments: [
    "Dec 20 04:51:52 iPhone backboardd[31] <Warning>: ExampleApp[1101] has active assertions beyond permitted time: \n",
    "Dec 20 04:51:52 iPhone assertiond[60] <Notice>: [ExampleApp:1101] Forcing crash report with description: ExampleApp:1101 has active assertions beyond permitted time:\n",
  ])
  func `An assertion beyond its permitted time is reported`(_ text: String) throws {
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "paste.txt"))
    #expect(run.text.contains("process-assertion-timed-out (certain)") && run.text.contains("ExampleApp"), "\(run.text)")
  }

  @Test func `A capture that would show the end of an open task is named`() throws {
    let text =
      "Oct  2 09:14:29 iPhone nsurlsessiond(CFNetwork)[123] <Notice>: Task <\(Self.uid)>.<12> received response, status 200 content K\n"
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "paste.txt"))
    #expect(run.text.contains("undecided: how 1 open task ends\n    decide    Show the messages of the app"), "\(run.text)")
    #expect(run.text.contains("$ log show --archive"), "\(run.text)")
  }

  @Test func `UIKit's warning does not tell why the completion handler was not called`() throws {
    let text =
      "Warning: Application delegate received call to -application:handleEventsForBackgroundURLSession:completionHandler: but the completion handler was never called.\n"
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "paste.txt"))
    #expect(run.text.contains("completion handler was never called.") && run.text.contains("missed-completion-handler (certain)"))
  }

  @Test func `A log is not overwritten by a result`() throws {
    let text = "Task <\(Self.uid)>.<12> finished successfully\n"
    let path = try directory.write(Array(text.utf8), to: "app.log")
    let run = try ToolRun.xferlog("replay", "--json", path)
    #expect(run.status == 2 && run.standardError.contains("-o json"), "\(run.standardError)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    // An earlier result is replaced.
    let results = ["--json", "a.json", "--junit", "b.xml", "--sarif", "c.sarif", "--markdown", "d.md"]
    for _ in 0..<2 {
      let again = try ToolRun.xferlog(
        ["replay", path] + results.map { $0.hasPrefix("--") ? $0 : directory.path + "/" + $0 })
      #expect(again.status != 2, "\(again.standardError)")
    }
  }

  @Test(arguments: [
    (
      "Task <\(uid)>.<12> HTTP load failed, 1823/0 bytes (error code: -1005 [4:-4])\n", "12",
      ["failed to transfer (networkConnectionLost", "does not show the completion"], ["MISSING", "never sent"]
    ),
    (
      "Mar 26 10:04:37 iPhone nsurlsessiond[108] <Notice>: NDSession <7E18A208-B0F3-400D-916E-AD844AF190F2> Task <\(uid)>.<5> did receive data (629823296 of 1953496076 total bytes)\n",
      "5", ["receiving the body", "629823296 bytes of 1953496076"], ["is being made"]
    ),
    (
      """
      2025-03-04 09:33:53.484 23583-23610 WM-GreedyScheduler      com.example.events               D  Starting tracking for 1b3e3dc7-6f5f-424f-ad4f-f283a1c75ba4
      2025-03-04 09:33:53.527 23583-23619 WM-ConstraintTracker    com.example.events               D  NetworkStateTracker24: initial state = NetworkState(isConnected=true, isValidated=true)

      """, "1b3e", ["there is a path to the network"], ["network        NO", "waits for the network"]
    ),
    (
      """
      04-01 08:00:00.000  3054  3070 D DownloadManager: [1] Starting
      04-01 08:00:09.000  3054  3070 W DownloadManager: [1] Stop requested with status HTTP_DATA_ERROR: Handshake failed
      04-01 08:00:09.000  3054  3070 D DownloadManager: [1] Finished with status WAITING_FOR_NETWORK

      """, "1", ["waits"], ["failed to transfer", "does not show the completion"]
    ),
  ])
  func `Why says what the excerpt shows`(_ text: String, task: String, says: [String], saysNot: [String]) throws {
    let run = try ToolRun.xferlog("why", task, try directory.write(Array(text.utf8), to: "paste.txt"))
    for words in says { #expect(run.text.contains(words), "\(run.text)\(run.standardError)") }
    for words in saysNot { #expect(!run.text.contains(words), "\(run.text)") }
  }

  @Test func `Evidence is the line that has the message`() throws {
    let text = """
      [ERROR] [Downloads] NSException creating download task (video)
        Details: Download failed: CFNetwork exception: Task created in a session that has been invalidated

      """
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "paste.txt"))
    #expect(run.text.contains("paste.txt:2") && !run.text.contains("paste.txt:1 "), "\(run.text)")
    #expect(run.text.contains("line      ") && run.text.contains("Details: Download failed"))
  }

  @Test func `The error of a session without a shared container is found in an object's description`() throws {
    let text = """
      Error Domain=NSURLErrorDomain Code=-995 "(null)"
      UserInfo={
          _NSURLErrorRelatedURLSessionTaskErrorKey=("BackgroundUploadTask <\(Self.uid)>.<1>"),
          _NSURLErrorFailingURLSessionTaskErrorKey=BackgroundUploadTask <\(Self.uid)>.<1>
      }

      """
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "paste.txt"))
    #expect(run.text.contains("shared-container-missing (certain)"), "\(run.text)\(run.standardError)")
  }

  @Test func `A hidden name of a session is no obstacle`() throws {
    let text = "BackgroundSession <...> attempted to create a NSURLSessionDownloadTask in a session that has been invalidated\n"
    let run = try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: "paste.txt"))
    #expect(run.status == 1 && run.text.contains("invalidated"), "\(run.text)\(run.standardError)")
  }

  /// Answers of web interfaces and the sources of pages have escapes.
  @Test(arguments: [
    """
    2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 55 0 App: (CFNetwork) Task <4B2C1D3E-0000-4000-8000-000000000001>.<1> resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)
    2026-03-01 10:00:09.000000+0100 0x1 Default 0x0 55 0 App: (CFNetwork) Task <4B2C1D3E-0000-4000-8000-000000000001>.<1> finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 "The network connection was lost." UserInfo={NSErrorFailingURLStringKey=https://a.example/f?b=1&c=2, _kCFStreamErrorDomainKey=4}

    """,
    """
    Task <4B2C1D3E-0000-4000-8000-000000000001>.<1> finished with error - code: -1001
    R&D: Error Domain=NSURLErrorDomain Code=-1001 "The request timed out." UserInfo={NSLocalizedDescription=The request timed out.}

    """,
    #"{"eventMessage":"Task <4B2C1D3E-0000-4000-8000-000000000001>.<1> finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 \"lost\" UserInfo={}","timestamp":"2026-03-01 10:00:00.000000+0100","processImagePath":"\/A","processID":5}"#
      + "\n",
  ])
  func `An excerpt with the escapes of HTML reads like one without`(text: String) throws {
    let escaped = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    let source = text.map { escaped[String($0)] ?? String($0) }.joined()
    let runs = try [text, source].map { try ToolRun.xferlog("replay", try directory.write(Array($0.utf8), to: "paste.txt")) }
    // The quoted lines are those of the files.
    let said = runs.map { $0.lines.filter { !$0.hasPrefix("    line ") } }
    #expect(said[0] == said[1])
    #expect(runs[0].text.contains("-10"), "\(runs[0].text)")
    #expect(runs[0].status == runs[1].status)
  }
}
