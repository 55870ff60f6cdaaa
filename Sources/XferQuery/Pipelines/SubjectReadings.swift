import XferDiagnosis
import XferEvents
import XferLifecycle
import XferPredicate
import XferReplay

extension TaskLifecycle {
  /// Reads a field of `SubjectFields.tasks`.
  func reading(_ name: String, in world: World) -> FieldReading {
    switch name {
    case "name": FieldReading(identity.label)
    case "uid": FieldReading("\(identity.uid)")
    case "session": FieldReading(identity.session)
    case "number": FieldReading(identity.number)
    case "type": FieldReading(type?.name)
    case "state": FieldReading(state.rawValue)
    case "outcome": FieldReading(result.rawValue)
    case "method": FieldReading(method)
    case "scheme": FieldReading(scheme)
    case "host": FieldReading(host)
    case "path": FieldReading(path)
    case "http": FieldReading(status)
    case "errorDomain": FieldReading(error?.domain?.name)
    case "error": FieldReading(error?.number)
    case "errorName": FieldReading(error?.name)
    case "attempts": FieldReading(attemptCount)
    case "received": FieldReading(bytesReceived)
    case "sent": FieldReading(bytesSent)
    case "connections": FieldReading(connections)
    case "reused": FieldReading(reusedConnections)
    case "hold": FieldReading(hold?.name)
    case "cancelledBy": FieldReading(cancelledBy?.name)
    case "intent": FieldReading(intent)
    case "appOutcome": FieldReading(outcome?.name)
    case "launch": FieldReading(world.process(of: self).launch.map { "\($0)" })
    case "created": FieldReading(created?.wall)
    case "resumed": FieldReading(resumed?.wall)
    case "transferred": FieldReading(transferred?.wall)
    case "completed": FieldReading(completed?.wall)
    case "acknowledged": FieldReading(acknowledged?.wall)
    case "queueTime": FieldReading(queueTime)
    case "connectTime": FieldReading(connectTime)
    case "firstByteTime": FieldReading(firstByteTime)
    case "bodyTime": FieldReading(bodyTime)
    case "deliveryTime": FieldReading(deliveryTime)
    case "took": FieldReading(totalTime)
    default: .missing
    }
  }
}

extension SessionLifecycle {
  /// Reads a field of `SubjectFields.sessions`.
  func reading(_ name: String) -> FieldReading {
    switch name {
    case "identifier": FieldReading(identifier)
    case "kind": FieldReading(kind?.name)
    case "created": FieldReading(created?.wall)
    case "connected": FieldReading(connected?.wall)
    case "invalidated": FieldReading(invalidated?.wall)
    default: .missing
    }
  }
}

extension ProcessLifecycle {
  /// Reads a field of `SubjectFields.processes`.
  func reading(_ name: String) -> FieldReading {
    switch name {
    case "startReason": FieldReading(startReason?.name)
    case "started": FieldReading((started ?? firstSeen)?.wall)
    case "ended": FieldReading(endFact?.wall)
    case "end": FieldReading(end.rawValue)
    case "exitCode": FieldReading(exitCode)
    case "exitSignal": FieldReading(exitSignal)
    default: .missing
    }
  }
}

extension Finding {
  /// Reads a field of `SubjectFields.findings`.
  func reading(_ name: String) -> FieldReading {
    switch name {
    case "rule": FieldReading(rule)
    case "variant": FieldReading(variant)
    case "severity": FieldReading(Severity.allCases.firstIndex(of: severity))
    case "certainty": FieldReading(Certainty.allCases.firstIndex(of: certainty))
    case "counted": .number(counts ? 1 : 0)
    case "summary": FieldReading(summary)
    case "fingerprint": FieldReading(fingerprint)
    default: .missing
    }
  }
}
