import LogTestSupport
import XferScript

/// One task of a lifecycle: what is fetched or sent, and how the server treats it.
struct LifecycleTask {
  let name: String
  let session: String
  var isUpload: Bool
  /// Of the body that is fetched or sent.
  let size: Int
  var manner: Manner
  /// Whether the server holds the first answer in mid body until the connection is gone, so that something may happen meanwhile.
  var isHeld = false
  var resourceTimeout: Double?
  var isTemporary = false

  /// None of them is anybody's mistake.
  enum Manner: Equatable {
    case plain
    case chunked(Int)
    /// The end of the connection is the end of the body.
    case unknownLength
    case pieces(Int)
    case late(milliseconds: Int)
    case slow(rate: Int)
    case redirected
    /// The connection breaks at the first try.
    case breaks(ScriptedResponse.Cut.Manner)
    /// An error, which is an answer.
    case refused(Int)
    /// No answer ever.
    case silent
  }

  var status: Int {
    if case .refused(let status) = manner { return status }
    return isUpload ? 201 : 200
  }

  /// What its completion says when nothing is wrong; of a download that went on it is 206.
  var codes: [String] { status == 200 ? ["200", "206"] : ["\(status)"] }

  var seed: UInt64 { ScriptBody.seed(forPath: "/\(name)") }
  var bytes: [UInt8] { ScriptBody.bytes(seed: seed, size: size) }

  /// Where the server has it.
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
