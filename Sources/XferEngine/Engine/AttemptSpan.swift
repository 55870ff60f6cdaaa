internal import HTTPTypes
internal import XferEvents

/// The span of one attempt in a distributed trace.
///
/// libcurl repeats a request by itself when the server had closed the reused connection. The repeated request has the field of the lost
/// attempt, because libcurl sends it unchanged. In the log, both attempts have a span of their own.
struct AttemptSpan: Equatable {
  let trace: TraceContext
  /// The span to which the attempt belongs. `nil` if the attempt begins the trace.
  let parent: UInt64?
}

// Trace context (W3C Trace Context).
extension Transfer {
  private var sendsSpan: Bool { task.options.sendsTraceContext ?? context.configuration.sendsTraceContext }

  /// Gives the attempt a new span if it is part of a trace.
  func beginSpan() {
    let parent = task.plan.fields[.traceParent].flatMap { TraceContext($0) } ?? context.trace
    guard parent != nil || sendsSpan else { return span = nil }
    let (uid, id) = (task.identity.uid, context.makeSpan())
    let trace = parent?.child(id) ?? TraceContext(traceHigh: uid.high, traceLow: uid.low, span: id)
    span = trace.map { AttemptSpan(trace: $0, parent: parent?.span) }
  }

  /// Adds the attempt's span to a request, unless the app has set one, or the request is to another origin than the task's.
  func addSpan(to wire: inout RequestPlan) {
    guard sendsSpan, let span, wire.url.origin == task.plan.url.origin, !wire.fields.contains(.traceParent) else { return }
    wire.fields[.traceParent] = span.trace.text
  }
}

extension HTTPField.Name {
  fileprivate static let traceParent = Self("traceparent")!
}
