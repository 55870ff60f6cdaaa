extension AppleShape {
  /// The lines of other processes of the system.
  static let ofSystem: [AppleShape] = [
    .init(
      "A130", .scheduler, #"(Submitted|SUBMITTED|Submitted Activity)(:| )"#, .note,
      #"Submitted: com.example.refresh"#),
    .init(
      "A131", .scheduler, #"…CurrentScore: {:number}, ThresholdScore: {:number} DecisionToRun:(0|1)"#, .note,
      #"com.example CurrentScore: 0.7, ThresholdScore: 0.6 DecisionToRun:1"#),
    .init(
      "A132", .scheduler, #"…(DAS told us to run|Running activities|STARTING)"#, .note,
      #"Running activities com.example.refresh"#),
    .init(
      "A133", .scheduler, #"…(DAS told us to suspend|should suspend, running for)"#, .note,
      #"DAS told us to suspend com.example.refresh"#),
    .init(
      "A134", .scheduler, #"(COMPLETED|CANCELED)(:| )"#, .note,
      #"COMPLETED: com.example.refresh"#),
    .init(
      "A135", .scheduler, #"…Background launch not allowed for"#, .note,
      #"Background launch not allowed for com.example.app"#),
    .init(
      "A136", .scheduler, #"(Modulating for|Increment budget)"#, .note,
      #"Modulating for 1 slots"#),
    .init(
      "A137", .power, #"…Process nsurlsessiond.{:int} (Created|Released) {:word} "NSURLSessionTask {task:uuid}""#, .note,
      #"Process nsurlsessiond.88 Released PreventUserIdleSystemSleep "NSURLSessionTask 6B29FC40-CA47-1067-B31D-00DD010662DA" age:00:29:05"#
    ),
    .init(
      "A138", .runningBoard, #"…Executing launch request for {target:word} \("#, .note,
      #"Executing launch request for application<com.example.transfer> (FBApplicationProcess)"#),
    .init(
      "A139", .runningBoard, #"…Creating and launching job for: {target:word}"#, .note,
      #"Creating and launching job for: application<com.example.transfer>"#),
    .init(
      "A140", .runningBoard, #"…Acquiring assertion targeting {target} from originator"#, .note,
      #"Acquiring assertion targeting application<com.example.transfer> from originator [daemon<com.apple.SpringBoard>:59] with description <x>"#
    ),
    .init(
      "A141", .runningBoard, #"…(Assertion {:word} \(target:{}\) will be created as|Finished acquiring assertion)"#, .note,
      #"Finished acquiring assertion 32-59-4103 (target:application<com.example.transfer>)"#),
    .init(
      "A142", .runningBoard, #"…Assertion did invalidate due to timeout: {target}"#, .assertionTimedOut,
      #"Assertion did invalidate due to timeout: 170-129-2658 (target:[anon<ExampleApp>(501):31623])"#),
    .init(
      "A143", .runningBoard, #"[{target:any}] Suspending task"#, .suspended,
      #"[app<com.example.app(1)>:55] Suspending task."#),
    .init(
      "A144", .runningBoard, #"…termination reported by (launchd \({:int}, {:int}, {:int}\)|proc_exit)"#, .exited,
      #"[app<com.example.app(1)>:55] termination reported by launchd (0, 9, 9)"#),
    .init(
      "A145", .runningBoard, #"…(Executing termination request for|Terminating with context)"#, .note,
      #"Executing termination request for: app<com.example.app>"#),
    .init(
      "A146", .frontBoard, #"…Process exited: {target}<RBSProcessExitContext| {reason}>"#, .exited,
      #"[app<com.example.app(1)>:55] Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGKILL(9)>>."#
    ),
    .init(
      "A197", .runningBoard, #"…exited with context {target}<RBSProcessExitContext| {reason}>"#, .exited,
      #"[app<com.example.app(1)>:55] exited with context <RBSProcessExitContext| voluntary>"#),
    .init(
      "A147", .assertiond, #"…Got exit context: <BKSProcessExitContext: 0x{:hex}; reason: {reason}>"#, .exited,
      #"Got exit context: <BKSProcessExitContext: 0x1; reason: crash>"#),
    .init(
      "A148", .assertiond, #"Process exited: <BKProcess: {target}"#, .note,
      #"Process exited: <BKProcess: 0x1; com.example.app; pid: 55>"#),
    .init(
      "A149", .assertiond,
      #"…(Activate assertion{}BKProcessAssertion|Add assertion{}BKProcessAssertion|Server invalidated{}BKProcessAssertion|Client relinquished{}BKProcessAssertion|dump all assertions)"#,
      .note,
      #"Activate assertion: <BKProcessAssertion: 0x1>"#),
    .init(
      "A150", .frontBoard, #"…Application 'UIKitApplication:{target}' exited abnormally via signal"#, .crashed,
      #"Application 'UIKitApplication:com.example.app[0x1]' exited abnormally via signal."#),
    .init(
      "A194", .frontBoard, #"…Application 'UIKitApplication:{target}' exited abnormally with {reason}"#, .exited,
      #"Application 'UIKitApplication:com.example.app[0x1]' exited abnormally with signal 9: Killed: 9"#),
    .init(
      "A195", .frontBoard, #"…has active assertions beyond permitted time"#, .assertionTimedOut,
      #"ExampleApp[1101] has active assertions beyond permitted time:"#, yieldsTo: ["A196"]),
    .init(
      "A196", .assertiond, #"…Forcing crash report with description: {target} has active assertions beyond permitted time"#,
      .assertionTimedOut,
      #"[ExampleApp:24424] Forcing crash report with description: ExampleApp:24424 has active assertions beyond permitted time:"#),
    .init(
      "A151", .launchd, #"…Service exited due to signal: {reason}"#, .note,
      #"Service exited due to signal: Killed: 9"#, yieldsTo: ["A192"]),
    .init(
      "A192", .launchd, #"\({proc}[{pid:int}]\)(: | <{:word}>: )Service exited due to {reason}"#, .exited,
      #"(com.apple.nsurlsessiond[11982]): Service exited due to signal: Interrupt: 2 sent by Helper[14879]"#),
    .init(
      "A152", .frontBoard,
      #"…Application process state changed for {bundle:word}: <SBApplicationProcessState: {}taskState: {ts}; visibility: {vis:word}"#,
      .note,
      #"Application process state changed for com.example.app: <SBApplicationProcessState: 0x1; pid: 55; taskState: Running; visibility: Background"#
    ),
    .init(
      "A153", .frontBoard, #"…Provision violated for watchdog {wd:word} "#, .watchdogWithheld,
      #"Provision violated for watchdog process-launch: <FBSProcessResourceProvision: 0x1>"#),
    .init(
      "A154", .frontBoard, #"…(Ignoring <FBProcessWatchdog: {}> for reason|Not terminating ")"#, .watchdogWithheld,
      #"Ignoring <FBProcessWatchdog: 0x1> for reason: debugging"#),
    .init(
      "A155", .frontBoard, #"…(Workspace connection invalidated|Now flagged as pending exit)"#, .note,
      #"[app<com.example.app>:55] Now flagged as pending exit for reason: workspace client connection invalidated"#),
    .init(
      "A156", .kernel, #"…Corpse allowed {:int} of {:int}"#, .crashed,
      #"Corpse allowed 1 of 5"#),
    .init(
      "A198", .kernel, #"…memorystatus: killing_{:word} pid {pid:int} [{proc}]"#, .exited,
      #"memorystatus: killing_specific_process pid 994 [ExampleApp] (per-process-limit 100 12s rf:- type:app) 78850KB"#),
    .init(
      "A199", .reportCrash, #"Process {proc:word} [{pid:int}] killed by jetsam reason "#, .exited,
      #"Process ExampleApp [994] killed by jetsam reason per-process-limit"#),
    .init(
      "A157", .reportCrash, #"…Formulating report for corpse[{pid:int}] {proc:word}"#, .crashed,
      #"Formulating report for corpse[55] ExampleApp"#),
    .init(
      "A158", .frontBoard, #"…Bootstrapping failed for <FBApplicationProcess{target}"#, .launchFailed,
      #"Bootstrapping failed for <FBApplicationProcess: 0x1; com.example.app; pid: -1>"#),
    .init(
      "A172", .resolver, #"[(R|Q){:int}]"#, .note,
      #"[R2239] getaddrinfo start -- flags: 0xC000D000"#),
    .init(
      "A182", .runningBoard,
      #"…(because this process is not |Set darwin role to: |Set jetsam priority to |is not RunningBoard jetsam managed|This process will )"#,
      .note, #"[app<com.example.app(501)>:55] Ignoring suspend because this process is not lifecycle managed"#),
    .init(
      "A183", .runningBoard,
      #"""
      (Now tracking process: |Calculated state for |Using default underlying assertion for app: |Checking PreventLaunch: |\#
      _mutateContextIfNeeded called for |Inheritance changeset: |removeJobWithInstance called for identity |\#
      Removing assertions for terminated process: |Removed last relative-start-date-defining assertion |Invalidating assertion {:int}-)
      """#,
      .note, #"Calculated state for app<com.example.app(501)>: running-active (role: UserInteractive) (endowments: <private>)"#),
    .init(
      "A184", .runningBoard, #"…(: -[RBPersonaManager |] Memory Limits: active )"#, .note,
      #"[app<com.example.app>:55] Memory Limits: active 2098 inactive 2098"#),
    .init(
      "A185", .frontBoard, #"(Received state update for |Asked to bootstrap a new process |Did not create a new process: )"#,
      .note,
      #"Received state update for 1621 (app<com.example.app>, running-active-Visible"#),
  ]
}
