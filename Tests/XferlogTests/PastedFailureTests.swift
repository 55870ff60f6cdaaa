import Foundation
import LogTestSupport
import Testing

/// Tests of failures in excerpts: what failed, and what the finding advises.
@Suite struct PastedFailureTests {
  private let directory = TemporaryDirectory()

  private func replay(_ text: String, named name: String = "paste.txt") throws -> ToolRun {
    try ToolRun.xferlog("replay", try directory.write(Array(text.utf8), to: name))
  }

  @Test(arguments: [
    // The server answered with an error status.
    (
      """
      > GET /app.ipa HTTP/2
      > Host: objects.example
      >
      < HTTP/2 403
      < content-length: 299
      <
      * Connection #0 to host objects.example left intact

      """, "transfer-failed (certain)", "failed: the server answered with the status 403", "whether a signed URL has expired"
    ),
    (
      """
      03-02 10:00:00.100  7001  7055 I okhttp.OkHttpClient: --> PUT https://bucket.example.com/key h2
      03-02 10:00:09.900  7001  7055 I okhttp.OkHttpClient: <-- 413 https://bucket.example.com/key (9798ms)

      """, "transfer-failed (certain)", "failed: the server answered with the status 413", "within the limit of the server"
    ),
    (
      """
      09-21 17:45:00.000  2001  2050 D DownloadManager: [201] Starting
      09-21 17:45:00.956  2001  2050 W DownloadManager: [201] Stop requested with status 404: Not Found
      09-21 17:45:00.958  2001  2050 D DownloadManager: [201] Finished with status 404

      """, "transfer-failed (certain)", "Task DownloadManager/201 failed: the server answered with the status 404",
      "the server has nothing there"
    ),
    // `curl -I`, and the beginning of a response alone.
    (
      "$ curl -I https://dl.example.net/big.iso\nHTTP/2 403 \ndate: Tue, 06 Nov 2018 10:05:58 GMT\ncontent-length: 548\n\n",
      "transfer-failed (certain)", "the status 403", "permissions"
    ),
    (
      "< HTTP/1.1 416 Requested Range Not Satisfiable\n< Content-Range: bytes */1234567\n", "transfer-failed (certain)",
      "the status 416", "remove it and start from the beginning"
    ),
    // Programs with libcurl, and curl within a build of docker.
    (
      "error: RPC failed; curl 18 transfer closed with outstanding read data remaining\n", "transport-failed (certain)",
      "partialFile (18)", "`-C -`"
    ),
    (
      "[MIRROR] a.rpm: Curl error (28): Timeout was reached for https://m.example.com/a.rpm [Connection timed out]\n",
      "transport-failed (certain)", "operationTimedOut (28)", "--connect-timeout"
    ),
    (
      "#12 18.70 curl: (56) OpenSSL SSL_read: Connection reset by peer, errno 104\n", "transport-failed (certain)",
      "receiveError (56)", "limit of the server or of a proxy"
    ),
    // A worker whose process logged an exception.
    (
      """
      D/DownloadWorker(11914): Open connection to https://vod.example.net/2080567506.mp4
      W/System.err(11914): java.net.ProtocolException: unexpected end of stream
      I/WM-WorkerWrapper(11914): Worker result FAILURE for Work [ id=527acce0-f9dd-415a-849b-a07fedc7e544, tags={ DownloadWorker } ]

      """, "transfer-failed (certain)", "failed: Worker result FAILURE after ProtocolException.",
      "WorkManager records only the result"
    ),
    // URLSession's codes that name the fix.
    (
      "Error Domain=NSURLErrorDomain Code=-1022 \"(null)\" UserInfo={NSErrorFailingURLStringKey=http://x.example/a}\n",
      "transfer-failed (certain)", "appTransportSecurityRequiresSecureConnection (-1022)", "NSAppTransportSecurity"
    ),
    (
      "2024-05-01 10:00:00.000000+0200 App[1:2] Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<3> finished with error [54] Error Domain=NSPOSIXErrorDomain Code=54 \"Connection reset by peer\" UserInfo={_kCFStreamErrorCodeKey=54, _kCFStreamErrorDomainKey=1}\n",
      "transport-failed (certain)", "ECONNRESET (54)", "resume data"
    ),
    (
      " LOG  Download canceled due to error:  The operation couldn’t be completed. (NSURLErrorDomain error -1005.)\n",
      "transport-failed (certain)", "networkConnectionLost (-1005)", "resume data"
    ),
    (
      "Error Domain=NSURLErrorDomain Code=-1020 \"(null)\" UserInfo={NSErrorFailingURLStringKey=http://x.example/a}\n",
      "transport-failed (certain)", "dataNotAllowed (-1020)", "allowsCellularAccess"
    ),
  ])
  func `A failure has a remedy of its own`(_ text: String, rule: String, says: String, advises: String) throws {
    let run = try replay(text)
    #expect(run.text.contains(rule) && run.text.contains(says), "\(run.text)\(run.standardError)")
    let remedies = run.text.split(separator: "\n").filter { $0.hasPrefix("    remedy ") }
    #expect(remedies.count == 1 && remedies[0].contains(advises), "\(run.text)")
  }

  @Test(arguments: [
    ("curl: (7) Failed to connect to h.example port 443: Connection refused\n", ["URLSession", "waitsForConnectivity"]),
    ("Error Domain=NSURLErrorDomain Code=-1005 \"(null)\" UserInfo={}\n", ["curl", "-C -"]),
    (
      "D/OkHttp(1): --> GET https://a.example/f\nD/OkHttp(1): <-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host\n",
      ["URLSession", "curl"]
    ),
  ])
  func `A remedy does not name another program's interfaces`(_ text: String, names: [String]) throws {
    let run = try replay(text)
    let remedy = run.text.split(separator: "\n").first { $0.hasPrefix("    remedy ") }
    let words = try #require(remedy, "\(run.text)\(run.standardError)")
    for name in names { #expect(!words.contains(name), "\(words)") }
  }

  @Test func `Errors without the name of their task are numbered`() throws {
    let run = try replay(
      """
      Error Domain=NSURLErrorDomain Code=-1017 "cannot parse response" UserInfo={NSErrorFailingURLStringKey=https://x.example/e}
      Error Domain=NSURLErrorDomain Code=-1013 "(null)" UserInfo={NSErrorFailingURLStringKey=https://x.example/f}

      """)
    #expect(run.text.contains("Task unnamed/1 failed: cannotParseResponse"), "\(run.text)")
    #expect(run.text.contains("Task unnamed/2 failed: userAuthenticationRequired"), "\(run.text)")
  }

  @Test func `A retry that loaded the whole file has succeeded`() throws {
    let run = try replay(
      """
      curl: (28) Operation timed out after 10001 milliseconds with 0 bytes received
      Warning: Problem : timeout. Will retry in 1 seconds. 3 retries left.
      100 52.1M  100 52.1M    0     0  12.2M      0  0:00:04  0:00:04 --:--:-- 12.9M

      """)
    #expect(run.text.contains("1 task (1 succeeded)"), "\(run.text)\(run.standardError)")
    #expect(!run.text.contains("truncated"), "\(run.text)")
    let partial = try replay(
      """
      curl: (28) Operation timed out after 10001 milliseconds with 0 bytes received
      Warning: Problem : timeout. Will retry in 1 seconds. 3 retries left.
       61 52.1M   61 32.1M    0     0  12.2M      0  0:00:04  0:00:04 --:--:-- 12.9M

      """, named: "partial.txt")
    #expect(partial.text.contains("1 task (1 open)"), "\(partial.text)\(partial.standardError)")
  }

  @Test func `A response that redirects and the one that follows are one transfer`() throws {
    let run = try replay(
      """
      $ curl -sIL http://dl.example.net/big.iso
      HTTP/1.1 301 Moved Permanently
      Location: https://cdn.example.net/big.iso

      HTTP/2 200
      content-type: application/octet-stream
      content-length: 548


      """)
    #expect(run.text.contains("1 task (1 succeeded)"), "\(run.text)\(run.standardError)")
  }

  @Test func `An upload that failed has not sent its whole body`() throws {
    let run = try replay(
      """
      {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"entries":[{"startedDateTime":"2025-03-11T09:41:07.113Z",\
      "time":30211.4,"request":{"method":"PUT","url":"https://up.example.org/v1/blob/7","httpVersion":"http/2.0","headers":[],\
      "headersSize":-1,"bodySize":10485760},"response":{"status":0,"headers":[],"content":{"size":0},"headersSize":-1,"bodySize":-1,\
      "_error":"net::ERR_CONNECTION_RESET"},"timings":{"send":0,"wait":0,"receive":30208.3}}]}}
      """, named: "upload.har")
    #expect(run.text.contains("ERR_CONNECTION_RESET") && !run.text.contains("10485760"), "\(run.text)\(run.standardError)")
  }

  @Test(arguments: [
    (" Work [ id=e1c3c953-0b9c-440b-8f99-c5b16239e8ec, tags={ vn.example.DownloadWorker } ] was cancelled\n"),
    ("17:07:32.281 WM-WorkerWrapper: Work [ id=e1c3c953-0b9c-440b-8f99-c5b16239e8ec, tags={ vn.example.DownloadWorker } ] was cancelled\n"),
  ])
  func `Work that was stopped is recognised in a cut line`(_ text: String) throws {
    let path = try directory.write(Array(text.utf8), to: "paste.txt")
    let run = try ToolRun.xferlog("show", path)
    #expect(
      run.status == 0 && run.text.contains("attempt.ended") || run.text.contains("stopped"), "\(run.text)\(run.standardError)")
  }

  @Test func `An error that has only a name has no number`() throws {
    let run = try replay(
      "I/WM-WorkerWrapper(11914): Worker result FAILURE for Work [ id=527acce0-f9dd-415a-849b-a07fedc7e544, tags={ W } ]\n")
    #expect(run.text.contains("failed: WorkManager/1: Worker result FAILURE\n"), "\(run.text)\(run.standardError)")
  }

  @Test(arguments: [
    (
      "wget.txt", "the output of wget",
      "--2017-08-21 09:06:17--  http://a.example/b\nHTTP request sent, awaiting response... 206 OK\n"
    ),
    ("aria2.txt", "the output of aria2", "04/12 12:30:31 [ERROR] CUID#11 - Download aborted. URI=DOWNLOAD_URL\n"),
    ("crash.txt", "a crash report", "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: FRONTBOARD 2343432205\n"),
    ("tus.txt", "plain text", "Error: tus: unexpected response while uploading chunk, response code: 409\n"),
  ])
  func `A text of a program whose output is not read is named`(name: String, kind: String, text: String) throws {
    let run = try replay(text, named: name)
    #expect(run.status == 2 && run.standardError.contains("it looks like \(kind)"), "\(run.standardError)")
  }
}
