import Foundation

/// Logs of other programs with a canary in every place where a secret may occur.
enum PlantedLogs {
  /// The files by their names.
  static let files = ["browser.har": har, "curl-trace.txt": curlTrace, "logcat.txt": logcat, "console.ndjson": appleLog]

  private static let url =
    "https://\(Canary.urlUser.text):\(Canary.urlPassword.text)@api.example.com/v1/\(Canary.urlPath.text)"
    + ";jsessionid=\(Canary.pathParameter.text)?token=\(Canary.tokenParameter.text)&note=\(Canary.queryValue.text)"
    + "&X-Amz-Signature=\(Canary.amazonSignature.text)&X-Amz-Credential=\(Canary.amazonCredential.text)"
    + "&sig=\(Canary.azureSignature.text)&Policy=\(Canary.cloudFrontPolicy.text)#\(Canary.fragment.text)"

  private static let requestFields: KeyValuePairs = [
    "Authorization": "Bearer \(Canary.authorization.text)", "Proxy-Authorization": "Basic \(Canary.proxyAuthorization.text)",
    "Cookie": "id=\(Canary.cookie.text)", "X-Api-Key": Canary.apiKey.text, "X-Auth-Token": Canary.authToken.text,
    "Referer": "http://example.com/\(Canary.referer.text)", "User-Agent": "agent/\(Canary.userAgent.text)",
    "X-Of-My-Own": Canary.requestField.text,
  ]

  private static let responseFields: KeyValuePairs = [
    "Set-Cookie": "id=\(Canary.setCookie.text)", "WWW-Authenticate": "Bearer realm=\"\(Canary.challenge.text)\"",
    "Content-Disposition": "attachment; filename=\"\(Canary.suggestedName.text).pdf\"",
    "Content-Type": "text/plain; name=\(Canary.mediaTypeParameter.text)", "Content-Encoding": Canary.contentCoding.text,
    "X-Of-Its-Own": Canary.responseField.text,
    "Location": "http://u:\(Canary.redirectUser.text)@api.example.com/\(Canary.redirectPath.text)?q=\(Canary.redirectQuery.text)",
  ]

  // MARK: Formats

  private static var har: String {
    func fields(_ pairs: KeyValuePairs<String, String>) -> [[String: String]] {
      pairs.map { ["name": $0.key, "value": $0.value] }
    }
    let timings = ["blocked": 1, "dns": 10, "connect": 40, "ssl": 25, "send": 1, "wait": 90, "receive": 9]
    let request: [String: Any] = [
      "method": "POST", "url": url, "httpVersion": "HTTP/1.1", "headersSize": 300, "bodySize": 30,
      "headers": fields(requestFields), "cookies": [["name": "id", "value": Canary.cookie.text]],
      "queryString": [["name": "note", "value": Canary.queryValue.text]],
      "postData": ["mimeType": "text/plain", "text": Canary.sourceFile.text],
    ]
    let response: [String: Any] = [
      "status": 302, "statusText": "No \(Canary.reasonPhrase.text)", "httpVersion": "HTTP/1.1", "headers": fields(responseFields),
      "content": ["size": 5, "mimeType": "text/plain", "text": Canary.body.text], "headersSize": 200, "bodySize": 5,
      "redirectURL": "/\(Canary.redirectPath.text)",
    ]
    let failed: [String: Any] = [
      "status": 0, "headers": [], "content": ["size": 0], "headersSize": -1, "bodySize": -1, "redirectURL": "",
      "_error": "net::ERR_FAILED \(Canary.nestedError.text)",
    ]
    let entries: [[String: Any]] = [
      [
        "startedDateTime": "2026-11-24T10:00:00.000Z", "time": 150, "comment": Canary.noted.text, "request": request,
        "response": response, "timings": timings,
      ],
      [
        "startedDateTime": "2026-11-24T10:00:02.000Z", "time": 50, "request": ["method": "GET", "url": url, "headers": []],
        "response": failed, "timings": ["send": 0, "wait": 0, "receive": 0],
      ],
    ]
    let page: [String: Any] = ["startedDateTime": "2026-11-24T10:00:00.000Z", "id": "page_1", "title": Canary.description.text]
    let log: [String: Any] = [
      "version": "1.2", "creator": ["name": "WebInspector", "version": "1"], "comment": Canary.outcome.text, "pages": [page],
      "entries": entries,
    ]
    let data = try? JSONSerialization.data(withJSONObject: ["log": log], options: [.sortedKeys])
    // The first members tell the format.
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static var curlTrace: String {
    func dump(_ kind: String, _ lines: [String]) -> String {
      let size = lines.reduce(0) { $0 + $1.utf8.count + 2 }
      var (text, offset) = ("16:11:04.452196 \(kind), \(size) bytes (0x\(String(size, radix: 16)))\n", 0)
      for line in lines {
        let digits = String(offset, radix: 16)
        text += String(repeating: "0", count: 4 - digits.count) + digits + ": " + line + "\n"
        offset += line.utf8.count + 2
      }
      return text
    }
    let path = "/\(Canary.urlPath.text)?token=\(Canary.tokenParameter.text)&note=\(Canary.queryValue.text)"
    let fields = requestFields.map { "\($0.key): \($0.value)" }
    var text = """
      16:11:04.443448 == Info:   Trying 127.0.0.1:18099...
      16:11:04.448318 == Info: Connected to 127.0.0.1 (127.0.0.1) port 18099 (#0)
      16:11:04.448319 == Info: Server auth using Basic with user '\(Canary.urlUser.text)'

      """
    text += dump("=> Send header", ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:18099"] + fields + [""])
    text += dump("=> Send data", ["field=\(Canary.emittedField.text)"])
    for line in ["HTTP/1.1 302 \(Canary.reasonPhrase.text)"] + responseFields.map({ "\($0.key): \($0.value)" }) + [""] {
      text += dump("<= Recv header", [line])
    }
    text += dump("<= Recv data", [Canary.body.text])
    return text + """
      16:11:04.452300 == Info: Issue another request to this URL: 'http://127.0.0.1:18099/\(Canary.fetchedPath.text)'
      16:11:04.452400 == Info: Failed writing to /home/\(Canary.fetchedFile.text)/file
      16:11:04.452500 == Info: Connection #0 to host 127.0.0.1 left intact

      """
  }

  private static var logcat: String {
    let lines =
      ["okhttp.OkHttpClient: --> GET \(url)"] + requestFields.map { "okhttp.OkHttpClient: \($0.key): \($0.value)" } + [
        "okhttp.OkHttpClient: \(Canary.emittedField.text)", "okhttp.OkHttpClient: --> END GET",
        "okhttp.OkHttpClient: <-- 401 \(Canary.reasonPhrase.text) \(url) (55ms)",
        "okhttp.OkHttpClient: Set-Cookie: id=\(Canary.setCookie.text)", "okhttp.OkHttpClient: <-- END HTTP",
        "okhttp.OkHttpClient: --> GET https://api.example.com/\(Canary.fetchedPath.text)",
        "okhttp.OkHttpClient: <-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host \"api.example.com\" "
          + Canary.nestedError.text,
        "DownloadManager: [1] Stop requested with status HTTP_DATA_ERROR: Failed reading response: /storage/\(Canary.destination.text)",
        "WM-SystemJobScheduler: Scheduling work ID 6b29fc40-ca47-1067-b31d-00dd010662daJob ID 15",
        "WM-WorkerWrapper: Work [ id=6b29fc40-ca47-1067-b31d-00dd010662da, tags={ com.example.Sync } ] failed because it threw an "
          + "exception/error \(Canary.outcome.text)",
      ]
    return "--------- beginning of main\n"
      + lines.enumerated().map { "11-24 10:00:\($0 / 10)\($0 % 10).100  4321  4400 I \($1)\n" }.joined()
  }

  private static var appleLog: String {
    let task = "Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<1>"
    let messages = [
      ("com.apple.CFNetwork", "\(task) resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)"),
      (
        "com.apple.CFNetwork",
        "\(task) finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 \"The request timed out.\" UserInfo={"
          + "NSErrorFailingURLStringKey=\(url), NSLocalizedDescription=\(Canary.description.text)}"
      ), ("com.example.app", "uploading \(Canary.argument.text) to file:///private/var/mobile/\(Canary.temporaryDirectory.text)"),
    ]
    return messages.enumerated().map { number, message in
      let object: [String: Any] = [
        "eventMessage": message.1, "eventType": "logEvent", "subsystem": message.0, "category": "Default", "threadID": 100,
        "processID": 501, "machTimestamp": 1000 + number, "timestamp": "2026-11-20 10:00:0\(number).000000+0000",
        "messageType": "Default", "processImagePath": "/Applications/\(Canary.sourceFile.text).app/Demo",
        "senderImagePath": "/System/Library/Frameworks/CFNetwork.framework/CFNetwork", "traceID": number,
      ]
      let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
    }.joined()
  }
}
