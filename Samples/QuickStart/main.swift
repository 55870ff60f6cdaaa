import Foundation
import XferEngine
import XferEvents
import XferLogStore

let state = LogDirectory.stateDirectory(environment: ProcessInfo.processInfo.environment)
let key = try MaskKey.load(stateDirectory: state)
let log = try EventLog(directory: "run.xlog", configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(key: key)))
let session = TransferSession(sink: log)

let url = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "https://www.swift.org/"
do {
  let response = try await session.download(from: URL(string: url)!, to: "page.html", replacing: true)
  print("status \(response.statusCode)")
} catch {
  print("failed: \(error)")
}
log.close()
