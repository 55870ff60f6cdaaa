import Testing

/// A scenario of a scripted app, with its twin.
struct ActorScenario: Sendable, CustomTestStringConvertible {
  var name: String
  var yaml: String

  var testDescription: String { name }

  static let all: [ActorScenario] = [
    ActorScenario(
      name: "a timeout passes when the clock of a waiting app in the foreground is moved",
      yaml: """
        scenario: waiting
        routes: [{ path: /pot, respond: { hang: before-status } }]
        actors:
          reader:
            app: Reader
            launch:
              - session: { name: work, kind: default, settings: { request-timeout: 10m } }
              - download: $SERVER/pot
        steps:
          - { launch: reader }
          - { wait: { event: attempt.requestSent } }
          - { conditions: { clock: +11m } }
          - { wait: { event: task.completed, with: { errorName: timedOut }, within: 10s } }
        expect: { tasks: { failed: 1 } }
        """),
    ActorScenario(
      name: "two processes of a program run at once, and the first one writes nothing more",
      yaml: """
        scenario: two windows
        actors:
          reader:
            app: Reader
            launch: [{ note: launched }]
        steps:
          - { launch: reader }
          - { wait: { event: app.noted } }
          - { launch: reader }
          - { wait: { event: app.noted, count: 2 } }
        expect: { findings: [], excludes: [unlogged-death] }
        """),
    ActorScenario(
      name: "a file is moved late",
      yaml: """
        scenario: late
        routes: [{ path: /pot, respond: { body: { size: 50000, seed: 1 } } }]
        actors:
          reader:
            app: Reader
            launch: [{ session: com.example.reader }, { download: $SERVER/pot, when: { launch: 1 } }]
            on:
              finished: [{ move: $FILES/pot, on: global, after: 100ms }]
        steps: [{ launch: reader }, { wait: { event: file.claimed } }]
        expect: { findings: [temp-file-not-moved], certainty: { temp-file-not-moved: certain }, no-files: [pot] }
        twin:
          scenario: in time
          replace: ", on: global, after: 100ms"
          with: ""
          expect: { findings: [], excludes: [temp-file-not-moved], files: { pot: { size: 50000, seed: 1 } } }
        """),
    ActorScenario(
      name: "many threads append to one file",
      yaml: """
        scenario: appended
        actors:
          reader:
            app: Reader
            files: { notes: { size: 0 } }
            launch: [{ append: { path: $FILES/notes, text: 0123456789 }, on: global, times: 5000 }]
        steps:
          - launch: reader
          - run: [timeout, "20", sh, -c, "until [ $(cat $FILES/notes 2>/dev/null | wc -c) -eq 50000 ]; do sleep 0.05; done"]
        expect: { findings: [] }
        """),
    ActorScenario(
      name: "an app adds its credentials to a redirected request, and records a changed setting",
      yaml: """
        scenario: added
        routes:
          - { path: "/a/{port}", respond: { redirect: { to: "http://localhost:{port}/b" } } }
          - { path: /b, respond: { body: { size: 10, seed: 1 } } }
        actors:
          reader:
            app: Reader
            launch:
              - policy: { name: cellular-data, enabled: false }
              - session: { name: work, kind: default }
              - data: { url: "http://127.0.0.1:$PORT/a/$PORT?Expires=$NOW+60", headers: { Authorization: Bearer abc } }
            on:
              redirect: [{ answer: { word: follow, headers: { Authorization: Bearer abc } } }]
        steps: [{ launch: reader }, { wait: { event: task.completed } }]
        expect:
          requests: 2
          events:
            - { event: policy.changed, with: { policy: cellularData, enabled: false, by: user } }
            - { event: attempt.redirectAnswered, with: { credentialsKept: true, by: app } }
        twin:
          scenario: not added
          replace: "word: follow, headers: { Authorization: Bearer abc }"
          with: "word: follow"
          expect: { requests: 2, events: [{ event: attempt.redirectAnswered, with: { credentialsKept: false, by: app } }] }
        """),
    ActorScenario(
      name: "the handler of a wake is never called",
      yaml: """
        scenario: never
        routes: [{ path: /pot, respond: { body: { size: 50000, seed: 1 }, delay: { beforeBody: 500ms } } }]
        actors:
          reader:
            app: Reader
            launch:
              always: [{ session: com.example.reader }]
              user: [{ download: $SERVER/pot }, { exit: 0 }]
            on:
              handle-events: [leave]
        steps: [{ launch: reader }, { wait: { exit: reader, count: 2 } }]
        expect: { findings: [missed-completion-handler] }
        twin:
          scenario: called on the main thread
          replace: "handle-events: [leave]"
          with: "handle-events: [store-handler]"
          expect: { findings: [], events: [{ event: wake.handlerCalled, with: { onMainThread: true } }] }
        """),
    ActorScenario(
      name: "the handler of a wake is called twice",
      yaml: """
        scenario: twice
        routes: [{ path: /pot, respond: { body: { size: 50000, seed: 1 }, delay: { beforeBody: 500ms } } }]
        actors:
          reader:
            app: Reader
            launch:
              always: [{ session: com.example.reader }]
              user: [{ download: $SERVER/pot }, { exit: 0 }]
            on:
              events-finished:
                - { call-handler: { again: true }, on: main }
                - { call-handler: com.example.reader, on: main }
                - { exit: 0, on: main }
        steps: [{ launch: reader }, { wait: { exit: reader, count: 2 } }]
        expect: { findings: [completion-handler-called-twice] }
        twin:
          scenario: off the main thread
          replace: "{ call-handler: { again: true }, on: main }"
          with: "{ note: not yet }"
          expect: { findings: [] }
        """),
    ActorScenario(
      name: "the app ends in a callback",
      yaml: """
        scenario: it crashes
        routes: [{ path: /pot, respond: { body: { size: 50000, seed: 1 } } }]
        actors:
          reader:
            app: Reader
            launch: [{ session: com.example.reader }, { download: $SERVER/pot, when: { launch: 1 } }]
            on:
              completed: [{ crash: segv }]
        steps: [{ launch: reader }, { wait: { exit: reader } }]
        expect: { ends: { reader: [signal 11] } }
        twin:
          scenario: it exits
          replace: "{ crash: segv }"
          with: "{ exit: 3 }"
          expect: { ends: { reader: [exitCall 3] } }
        """),
    ActorScenario(
      name: "the app hangs in a callback and is killed",
      yaml: """
        scenario: it hangs
        routes: [{ path: /pot, respond: { body: { size: 50000, seed: 1 } } }]
        actors:
          reader:
            app: Reader
            launch: [{ session: com.example.reader }, { download: $SERVER/pot, when: { launch: 1 } }]
            on:
              finished: [hang]
        steps:
          - launch: reader
          - wait: { event: delivery.entered }
          - kill: reader
            because: watchdog
          - wait: { exit: reader }
        expect: { ends: { reader: [watchdog 9] }, no-events: [{ event: delivery.left }] }
        """),
    ActorScenario(
      name: "a challenge is answered with a credential",
      yaml: """
        scenario: a credential
        routes:
          - path: /pot
            respond: [{ status: 401, headers: { WWW-Authenticate: 'Basic realm="x"' } }, { body: { size: 50000, seed: 1 } }]
        actors:
          reader:
            app: Reader
            launch: [{ session: { name: main, kind: default } }, { download: $SERVER/pot }]
            on:
              challenge: [{ answer: { user: me, password: secret } }]
        steps: [{ launch: reader }, { wait: { event: task.acknowledged } }]
        expect: { findings: [], files: { pot: { size: 50000, seed: 1 } }, requests: 2 }
        twin:
          scenario: cancelled
          replace: "answer: { user: me, password: secret }"
          with: "answer: cancel"
          expect: { no-files: [pot], requests: 1, tasks: { failed: 1 } }
        """),
    ActorScenario(
      name: "resume data is used in a later launch",
      yaml: """
        scenario: resumed
        routes:
          - path: /big
            respond: { headers: { ETag: '"a"' }, body: { size: 6MB, seed: 1 }, rate: 8MiB/s, ranges: honour }
        actors:
          reader:
            app: Reader
            launch:
              - session: { name: main, kind: default }
              - { download: $SERVER/big, when: { launch: 1 } }
              - { download: { resume-data: big }, when: { launch: 2 } }
            on:
              progress: [{ cancel: { resume-data: big, then: [{ note: kept }] }, when: { received: 1MB, launch: 1, once: true } }]
              completed: [{ outcome: auto }, { exit: 0, on: main, after: 100ms }]
        steps:
          - launch: reader
          - wait: { exit: reader }
          - launch: reader
          - wait: { exit: reader, count: 2 }
        expect: { findings: [], files: { big: { size: 6MB, seed: 1 } }, tasks: { cancelled: 1, succeeded: 1 } }
        twin:
          scenario: the data is corrupt
          replace: "- { download: { resume-data: big }, when: { launch: 2 } }"
          with: "- { do: [{ corrupt-resume-data: big }, { download: { resume-data: big }, otherwise: [{ exit: 4 }] }], when: { launch: 2 } }"
          expect: { ends: { reader: [exitCall 0, exitCall 4] }, events: [{ event: task.rejected, with: { rejection: resumeDataInvalid } }] }
        """),
    ActorScenario(
      name: "beats are sent at their interval",
      yaml: """
        scenario: sent
        actors:
          reader:
            app: Reader
            suspendable: false
            launch:
              - { beat: { name: position, expect: 60s } }
              - { beat: { name: position, send: true }, every: 200ms, times: 200 }
              - { write: { path: $FILES/begun, text: x }, on: main }
        steps:
          - launch: reader
          - wait: { event: app.beatSent, count: 2 }
          - conditions: { clock: +50s }
          - wait: { event: app.beatSent, count: 5 }
          - conditions: { clock: +45s }
          - wait: { event: app.beatSent, count: 8 }
        expect: { findings: [] }
        twin:
          scenario: late
          replace: "clock: +50s"
          with: "clock: +10m"
          expect: { findings: [beat-missed] }
        """),
    ActorScenario(
      name: "an upload has three parts",
      yaml: """
        scenario: three parts
        routes: [{ path: /film, respond: { status: 200 } }]
        files: { film: { size: 300kB, seed: 1 } }
        actors:
          reader:
            app: Reader
            launch:
              - session: com.example.reader
              - { multipart: { start: film, url: $SERVER/film, file: $FILES/film, parts: 3 }, when: { launch: 1 } }
            on:
              multipart: [{ multipart: { complete: film } }, { exit: 0, on: main, after: 300ms }]
              completed: [default, { exit: 0, on: main, after: 300ms, when: { status: bad } }]
        steps: [{ launch: reader }, { wait: { exit: reader } }]
        expect:
          findings: []
          requests: 3
          events: [{ event: multipart.partStored, with: { part: 3, sent: 100000, sourceSize: 300000 } }, { event: multipart.completed }]
        twin:
          scenario: a part is refused
          replace: "respond: { status: 200 }"
          with: "respond: [{ status: 200 }, { status: 500 }]"
          expect:
            requests: 2
            events: [{ event: multipart.partStored, with: { part: 1 } }]
            no-events: [{ event: multipart.partStored, with: { part: 2 } }, { event: multipart.completed }]
        """),
  ]
}
