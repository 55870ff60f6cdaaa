import ArgumentParser
import Foundation
import XferEngine
import XferEvents

/// The common implementation of `get`, `put` and `request`, which parse their arguments as curl does.
enum TransferCommand {
  static func run(_ verb: Verb, _ words: [String]) async throws {
    if words.contains("--help") || words.contains("-h") {
      print(OptionHelp(verb).text, terminator: "")
      return
    }
    let settings: CommandSettings
    let plan: TransferPlan
    let cookies: CookieInput?
    do throws(OptionProblem) {
      let files = FileReader()
      let read = { (path: String) throws(OptionProblem) in String(decoding: try files(path), as: UTF8.self) }
      var scanned = try OptionScanner(verb, readFile: read).settings(words)
      cookies = try CookieInput(&scanned, files: files)
      for place in scanned.groups.indices {
        scanned.groups[place].fields = try FieldLines.expanded(scanned.groups[place].fields) { path throws(OptionProblem) in
          try files(path)
        }
      }
      scanned.settle()
      settings = scanned
      plan = try TransferPlan(settings, files: files)
    } catch {
      throw CommandExit(error.exitCode, error.text)
    }
    let log = CommandLog(
      directory: settings.run.log, isPrivate: settings.run.isPrivate, capture: settings.run.capture,
      environment: ProcessInfo.processInfo.environment.withoutEmptyVariables)
    let code = await carry(plan, settings, cookies, log)
    log.close(code: code)
    if code != 0 { throw CommandExit(code) }
  }

  private static func carry(
    _ plan: TransferPlan, _ settings: CommandSettings, _ cookies: CookieInput?, _ log: CommandLog
  ) async -> Int32 {
    let reporter = CommandReporter(settings, total: plan.transfers.count)
    let run = TransferRun(plan, settings, cookies: cookies?.storage, sink: log.sink, reporter: reporter)
    let interruption = Interruption { run.cancel() }
    let start = ContinuousClock.now
    let results = await run()
    reporter.conclude(results, took: ContinuousClock.now - start, log: log.directory)
    do throws(TransferResult.Problem) {
      try cookies?.save()
    } catch {
      Remarks.say(error.text)
      return interruption.exitCode ?? error.exitCode
    }
    return interruption.exitCode ?? results.exitCode
  }
}

extension CommandSettings {
  /// Derives the session settings that depend on several options.
  mutating func settle() {
    if verb != .request { run.isParallel = true }
    for place in groups.indices {
      let group = groups[place]
      groups[place].session.wantsHeads =
        group.includesHead || group.isHead || group.headFile != nil || run.showsSteps
        || group.writeOut?.contains("%header{") ?? false
      groups[place].session.wantsRetriedBodies = group.session.retries > 0 && group.onStatus != .fail
      groups[place].session.followsRedirects = group.followsRedirects
      groups[place].session.omittedFields = FieldLines.omittedNames(group.fields, userAgent: group.userAgent)
    }
  }
}
