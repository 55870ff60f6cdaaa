// @ts-check
// What the user has selected. Every panel shows it.

/**
 * @typedef {object} Selection
 * @property {import('./types').Event | null} event
 * @property {import('./types').Task | null} task
 * @property {number} finding the index of a finding, or -1
 * @property {{ from: number, to: number } | null} range
 */

/** @typedef {'event' | 'task' | 'finding' | 'range' | 'zone' | 'model'} Change the model changes only in a page that a program serves */

export class State {
  constructor() {
    /** @type {Selection} */
    this.selection = { event: null, task: null, finding: -1, range: null };
    /** @type {((change: Change[]) => void)[]} */
    this.observers = [];
  }

  /** @param {(change: Change[]) => void} observer called after each change, with the names of what changed */
  observe(observer) { this.observers.push(observer); }

  /** @param {Partial<Selection>} changes */
  select(changes) {
    const names = /** @type {Change[]} */ (Object.keys(changes));
    Object.assign(this.selection, changes);
    this.notify(names);
  }

  /** @param {Change[]} names */
  notify(names) { for (const observer of this.observers) observer(names); }
}
