import LogTestSupport
import XferScript

/// One task of a lifecycle, with the behavior of the server.
struct LifecycleTask {
  let name: String
  let session: String
  var isUpload: Bool
  /// The size of the downloaded or uploaded body, in bytes.
  let size: Int
  var manner: Manner
  /// Whether the server stops in the middle of the first response and keeps the connection open, so that other events can
  /// happen during the transfer.
  var isHeld = false
  var resourceTimeout: Double?
  var isTemporary = false

  /// How the server responds. None of these is a defect of the app.
  enum Manner: Equatable {
    case plain
    case chunked(Int)
    /// The response has no length. The end of the connection ends the body.
    case unknownLength
    case pieces(Int)
    case late(milliseconds: Int)
    case slow(rate: Int)
    case redirected
    /// The connection breaks during the first attempt.
    case breaks(ScriptedResponse.Cut.Manner)
    /// The server responds with an HTTP error status.
    case refused(Int)
    /// The server never responds.
    case silent
  }

  var status: Int {
    if case .refused(let status) = manner { return status }
    return isUpload ? 201 : 200
  }

  /// The expected result codes of the completion. A resumed download ends with 206.
  var codes: [String] { status == 200 ? ["200", "206"] : ["\(status)"] }

  var seed: UInt64 { ScriptBody.seed(forPath: "/\(name)") }
  var bytes: [UInt8] { ScriptBody.bytes(seed: seed, size: size) }

  /// The path of the resource on the server.
  var place: String { manner == .redirected ? "/there/\(name)" : "/\(name)" }

  var routes: [ServerScript.Route] {
    var responses = [answer]
    if isHeld { responses.insert(held, at: 0) }
    if case .breaks(let how) = manner { responses.insert(broken(how), at: 0) }
    let routes = [ServerScript.Route(place, responses)]
    return manner == .redirected ? routes + [.init("/\(name)", .redirect(to: place, status: 307))] : routes
  }

  private var answer: ScriptedResponse {
    var answer = ScriptedResponse(
      status: status, headers: ["ETag": "\"\(name)\""],
      body: isUpload ? .text("receipt of \(name)") : .generated(size: size, seed: .value(seed)), ranges: .honour)
    switch manner {
    case .plain, .redirected, .breaks: break
    case .chunked(let size): answer.chunked = .init(size: size)
    case .unknownLength: answer.contentLength = .none
    case .pieces(let size): answer.pieces = .init(size: size, delay: .milliseconds(1))
    case .late(let time): answer.delay = .init(beforeStatus: .milliseconds(time))
    case .slow(let rate): answer.rate = rate
    case .refused: answer.ranges = .ignore
    case .silent: answer.cut = .init(.beforeStatus, .hang)
    }
    return answer
  }

  private var held: ScriptedResponse {
    var held = answer
    held.cut = isUpload ? .init(.afterRequestBytes(size / 2), .hang) : .init(.midBody, .hang)
    return held
  }

  private func broken(_ how: ScriptedResponse.Cut.Manner) -> ScriptedResponse {
    var broken = answer
    broken.cut = isUpload ? .init(.afterRequestBytes(size / 2), how) : .init(.midBody, how)
    return broken
  }
}

extension LifecycleTask: CustomStringConvertible {
  var description: String {
    let limit = resourceTimeout.map { ", limit \($0) s" } ?? ""
    return "\(session)/\(name) \(isUpload ? "up" : "down") \(size) \(manner)\(isHeld ? ", held" : "")\(limit)"
      + (isTemporary ? ", temporary" : "")
  }
}
