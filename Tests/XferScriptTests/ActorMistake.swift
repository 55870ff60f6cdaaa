import Testing
import XferScript

/// An invalid script of an app, and the beginning of its error message.
struct ActorMistake: Sendable, CustomTestStringConvertible {
  var yaml: String
  var message: String

  var testDescription: String { yaml }

  /// Creates a script whose third line is the given step of a launch, which begins in column 5.
  private static func step(_ step: String, _ message: String) -> ActorMistake {
    ActorMistake(yaml: "app: A\nlaunch:\n  - \(step)\n", message: "a.yaml:3:\(message)")
  }

  static let all: [ActorMistake] = [
    ActorMistake(yaml: "launch: []", message: "a.yaml:1:1: `app` is missing.\nName the app: `app: Reader`."),
    ActorMistake(
      yaml: "app: A\nlanch: []", message: "a.yaml:2:1: unknown key `lanch`.\nDid you mean `launch`? Known keys: app, launch, on,"),
    ActorMistake(
      yaml: "app: A\non:\n  finnished: [leave]", message: "a.yaml:3:3: on: unknown key `finnished`.\nDid you mean `finished`?"),
    ActorMistake(
      yaml: "app: A\nlaunch: { users: [] }", message: "a.yaml:2:11: launch: unknown key `users`.\nDid you mean `user`?"),
    ActorMistake(yaml: "app: A\nlaunch: [", message: "a.yaml:3:1: invalid YAML"),
    ActorMistake(yaml: "app: [a]", message: "a.yaml:1:6: app: a single value is expected"),
    ActorMistake(
      yaml: "app: A\nprivacy: some", message: "a.yaml:2:10: privacy: unknown value `some`.\nWrite one of: full, masked, redacted."
    ),
    step("crush", "5: launch[0]: unknown action `crush`.\nDid you mean `crash`? Write one of: answer,"),
    step("download", "5: launch[0]: `download` has no value.\nWrite for example `download: $SERVER/pot`."),
    step("dowload: $SERVER/pot", "5: launch[0]: unknown key `dowload`.\nDid you mean `download`?"),
    step("{ crash: , exit: 1 }", "22: launch[0].exit: `crash` and `exit` cannot be combined"),
    step("when: { launch: 1 }", "5: launch[0]: the step has no action"),
    step("download: { as: pot }", "15: launch[0].download: one of `url`, `resume-data` is missing"),
    step("upload: { url: x, file: a, body: { size: 1 } }", "38: launch[0].upload.body: `file` and `body` cannot be combined"),
    step("download: { url: x, ass: pot }", "25: launch[0].download: unknown key `ass`.\nDid you mean `as`?"),
    step(
      "session: { identifier: x, settings: { retrys: 1 } }",
      "43: launch[0].session.settings: unknown key `retrys`.\nDid you mean `retries`?"),
    step("block: long", "12: launch[0].block: `long` is not a duration"),
    step("exit: 256", "11: launch[0].exit: 256 is out of range.\nWrite a number from 0 to 255."),
    step("crash: softly", "12: launch[0].crash: unknown value `softly`"),
    step("download: { url: x, priority: 2 }", "35: launch[0].download.priority: `2` is out of range"),
    step("write: { path: x, size: 2GiB }", "29: launch[0].write.size: 2147483648 bytes are too many"),
    step("{ leave: , when: { tsk: a } }", "24: launch[0].when: unknown key `tsk`.\nDid you mean `task`?"),
    step("{ leave: , when: { status: good } }", "32: launch[0].when.status: `good` is not a status"),
    step("{ leave: , on: background }", "20: launch[0].on: unknown value `background`.\nWrite one of: main, delegate, global."),
    step("{ leave: , times: 0 }", "23: launch[0].times: the step would run 0 times"),
    step(
      "{ times: 1000, do: [{ times: 1000, leave: }] }",
      "34: launch[0].do[0].times: the step would run 1000 times.\nWrite a number from 1 to 100."),
    step(
      "outcome: { outcome: success, task: a, intend: b }", "43: launch[0].outcome: unknown key `intend`.\nDid you mean `intent`?"),
    step("deadman: { name: a }", "14: launch[0].deadman: one of `arm`, `check`, `disarm` is missing"),
    step("store-handler: [a]", "20: launch[0].store-handler: keys with values are expected"),
    step("begin-time: { name: a, expired: [{ end-tim: a }] }", "40: launch[0].begin-time.expired[0]: unknown key `end-tim`"),
  ]
}
