// The data of a report. `ReportRows` and `ReportDocument` write it.

export type Text = string | { hash: string } | { redacted: true } | { cut: string; bytes: number };

export interface Source { log?: number; segment?: number; lane?: number; seq?: number; file?: number; line?: number; }

export interface Evidence { source: Source; event: string; time: string | null; mono: string | null; name?: string; }

export interface Capture { capture: string; command?: string | null; }

export interface Finding {
  rule: string; variant: string | null; severity: Severity; certainty: string; causedBy: number | null;
  session: string | null; task: string | null; wake: string | null; launch: string | null; time: string | null;
  summary: string; remedy: string; fingerprint: string; lowered: string[]; decide: Capture[]; evidence: Evidence[];
  missing: { event: string; dueBy: string | null; dueByMono: string | null }[]; unless: string[]; tasks: string[];
}

export type Severity = 'critical' | 'error' | 'warning' | 'notice';

export interface Group {
  fingerprint: string; count: number; members: number[]; severity: Severity; certainty: string; root: boolean;
  first: string | null; last: string | null;
}

export interface Process {
  launch: string | null; role: string | null; pid: number | null; boot: string | null; executable: string | null;
  started: string | null; ended: string | null; endedAfter: string | null; end: string; code: number | null;
  signal: number | null; startReason: string | null;
}

export interface Wake {
  handler: string; session: string | null; launch: string | null; wanted: string | null; launched: string | null;
  delivered: string | null; stored: string | null; eventsFinished: string | null; called: string | null;
  released: string | null; outcome: string;
}

export interface Lifecycle {
  uid: string; session: string; number: number; type: string | null; state: string; outcome: string; http: number | null;
  error: { domain: string | null; number: number | null; name: string | null } | null; attempts: number; bytes: number | null;
  timing: Record<string, number | null>; unexpected: number;
  deliveries: { id: string; kind: string; sent: string | null; received: string | null; entered: string | null; left: string | null }[];
}

export interface Report {
  sentence: string; title: string; exitWord: string; created: string; version: string; contained: number;
  omission: string | null; verdict: string; complete: boolean; incompleteBecause: string[]; exitCode: number; events: number;
  unmodelled: number; inversions: number; findingCount: number;
  inputs: { path: string; format: string; events: number; damaged: number; missing: number; complete: boolean; error: string | null }[];
  processes: Process[];
  sessions: { identifier: string; kind: string | null; incarnations: { launch: string | null; created: string | null; connected: string | null; invalidated: string | null }[] }[];
  wakes: Wake[];
  undecided: { rule: string; count: number; needs: string; decide: Capture[] }[];
  findings: Finding[]; groups: Group[];
  rules: { id: string; summary: string; explanation: string; sources: string[] }[];
  /** The changes of state that events of tasks with findings made, by the places of the events. */
  changes: [string, StateChange[]][];
  /** The document `xferlog.diff/1`; `null` without --against. */
  comparison: any;
  /** The fields of tasks in queries; the lifecycles have their values in this order. */
  taskFields?: { name: string; type: string; synonyms: string[]; words: string[] | null }[];
  /** The names of all kinds of events. */
  eventNames?: string[];
}

export interface Data { schema: string; rows: any[][]; report: Report; }

/** The kind and the name of an entity, whether it appeared, changed or disappeared, and its fields before and after. */
export type StateChange = [kind: string, name: string, manner: string, fields: [name: string, before: string | null, after: string | null][]];

// The model that the page shows.

export interface Shape { name: string; level: string; message: string; fields: string[]; letters: string; }

export interface File { log?: number; number: number; launch: string | null; pid: number | null; role: string | null; executable: string | null; }

/** An event. `time` is in milliseconds since 1970, `mono` in milliseconds. */
export interface Event {
  index: number; shape: Shape; file: File; time: number | null; mono: number | null; lane: number | null; position: number;
  thread: number | null; task: Task | null; row: any[];
}

export interface Attempt {
  number: number; start: number; duration: number; ended: boolean; requests: any[][]; error: string | null;
  host: string | null; protocol: string | null; status: number | null; received: number | null; expected: number | null;
  sent: number | null; reused: boolean | null;
}

export interface Task {
  uid: string; session: string; number: number; label: string; events: Event[]; attempts: Attempt[];
  start: number | null; duration: number; ended: boolean; method: string | null; host: string | null;
  lifecycle: Lifecycle | null; findings: number[];
  /** The values of `taskFields`; empty for a task without a lifecycle. */
  values: (string | number | { hash: string } | { redacted: true } | { cut: string } | null)[];
}

export interface Gap { at: number; row: any; }

export interface Model {
  report: Report; events: Event[]; tasks: Task[]; taskOf: Map<string, Task>; gaps: Gap[]; texts: Text[]; numbered: Task[];
  begin: number; end: number; evidence: Map<string, Event>; changes: Map<string, StateChange[]>;
}

/** A part of a bar of the timeline. Times are in milliseconds since 1970. */
export interface Segment { from: number; to: number; kind: string; label: string; open?: boolean; }

export interface Mark { time: number; kind: 'event' | 'missing' | 'deadline' | 'evidence'; label: string; level: string; event: Event | null; finding: number; }

export interface Track {
  kind: 'heading' | 'device' | 'process' | 'session' | 'task'; label: string; segments: Segment[]; marks: Mark[]; task: Task | null; events: Event[];
}

declare global {
  // Browsers since 2020 (Chromium) and 2023 (Firefox, Safari); missing in TypeScript 4.8.
  class DecompressionStream {
    constructor(format: string);
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
  }
}
