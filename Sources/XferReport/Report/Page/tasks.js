// @ts-check
// The table of tasks with its filter.
import { el, fill, say, section, virtualList } from './dom.js';
import { bytesText, countText, counted, durationText, timeText } from './format.js';
import { filterFields, parseFilter, taskDuration } from './filter.js';
import { taskEnd, taskStart } from './model.js';

/** @typedef {import('./types').Task} Task */

/** @type {[string, string, (task: Task) => string, (task: Task) => string | number | null | undefined][]} */
const columns = [
  ['task', 'Task', (task) => task.label, (task) => task.label],
  ['outcome', 'Outcome', (task) => task.lifecycle?.outcome ?? '–', (task) => task.lifecycle?.outcome],
  ['state', 'State', (task) => task.lifecycle?.state ?? '–', (task) => task.lifecycle?.state],
  ['http', 'HTTP', (task) => String(task.lifecycle?.http ?? '–'), (task) => task.lifecycle?.http],
  ['host', 'Host', (task) => task.host ?? '–', (task) => task.host],
  ['attempts', 'Attempts', (task) => String(task.lifecycle?.attempts ?? '–'), (task) => task.lifecycle?.attempts],
  ['bytes', 'Received', (task) => bytesText(task.lifecycle?.bytes), (task) => task.lifecycle?.bytes],
  ['start', 'Start', (task) => timeText(taskStart(task)), (task) => taskStart(task)],
  ['duration', 'Duration', (task) => durationText(taskDuration(task)), (task) => taskDuration(task)],
  ['findings', 'Findings', (task) => (task.findings.length ? String(task.findings.length) : ''), (task) => task.findings.length],
];

/** Task 10 comes after task 9. */
const textOrder = new Intl.Collator('en', { numeric: true });

/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
export function tasksSection(model, state) {
  /** @type {Task[]} */
  let shown = [];
  let order = { column: 'start', isDown: false };
  const input = el('input', {
    type: 'text', id: 'task-filter', spellcheck: false, autocomplete: 'off', placeholder: 'outcome=failed AND duration>2s', 'aria-describedby': 'task-filter-note',
    input: () => apply(),
  });
  const note = el('p', { class: 'faint', id: 'task-filter-note', role: 'status' });
  const list = virtualList({ height: 28, label: 'Tasks', render: (index) => row(shown[index]) });
  list.box.setAttribute('role', 'rowgroup');
  const head = el('div', { class: 'row head', role: 'row' });
  for (const [name, title] of columns) {
    head.appendChild(el('div', { class: `cell cell-${name}`, role: 'columnheader', 'data-column': name },
      el('button', { type: 'button', class: 'quiet', click: () => { order = { column: name, isDown: order.column === name && !order.isDown }; apply(); } }, title)));
  }
  /** @param {Task} task */
  function row(task) {
    const isSelected = task === state.selection.task;
    const element = el('div', { class: `row${isSelected ? ' selected' : ''}`, role: 'row', 'aria-selected': isSelected, click: () => select(task) });
    for (const [name, , text] of columns) {
      const outcome = task.lifecycle?.outcome;
      const mark = name === 'outcome' && (outcome === 'failed' || outcome === 'lost') ? ' bad' : '';
      element.appendChild(el('div', { class: `cell cell-${name}${mark}`, role: 'cell', title: text(task) }, text(task)));
    }
    return element;
  }
  /** @param {Task} task */
  function select(task) { state.select({ task, event: task.events[0] ?? null }); }
  list.box.addEventListener('keydown', (key) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[key.key];
    if (by === undefined || shown.length === 0) return;
    key.preventDefault();
    const current = state.selection.task ? shown.indexOf(state.selection.task) : -1;
    const next = Math.min(shown.length - 1, Math.max(0, current + by));
    select(shown[next]);
    list.scrollTo(next);
  });
  function apply() {
    /** @type {import('./filter.js').Predicate} */
    let predicate;
    try {
      predicate = parseFilter(input.value, model);
      input.removeAttribute('aria-invalid');
    } catch (error) {
      input.setAttribute('aria-invalid', 'true');
      fill(note, `This filter is not valid: ${/** @type {Error} */ (error).message}.`);
      return;
    }
    const { range } = state.selection;
    shown = model.tasks.filter((task) => predicate(task) && (!range || ((taskStart(task) ?? Infinity) <= range.to && (taskEnd(task) ?? -Infinity) >= range.from)));
    const value = columns.find(([name]) => name === order.column)?.[3] ?? (() => null);
    const sign = order.isDown ? -1 : 1;
    shown.sort((first, second) => {
      const [one, other] = [value(first) ?? null, value(second) ?? null];
      if (one === other) return 0;
      if (one === null) return 1;
      if (other === null) return -1;
      return (typeof one === 'string' && typeof other === 'string' ? textOrder.compare(one, other) : one < other ? -1 : 1) * sign;
    });
    for (const cell of head.children) {
      const name = /** @type {HTMLElement} */ (cell).dataset.column;
      cell.setAttribute('aria-sort', name === order.column ? (order.isDown ? 'descending' : 'ascending') : 'none');
    }
    say(note, `${countText(shown.length)} of ${counted(model.tasks.length, 'task')}${range ? ' in the selected range' : ''}. Fields: ${filterFields(model).join(', ')}.`);
    list.show(shown.length);
  }
  state.observe((names) => {
    if (names.includes('range') || names.includes('zone') || names.includes('model')) apply();
    else if (names.includes('task')) {
      const place = state.selection.task ? shown.indexOf(state.selection.task) : -1;
      if (place >= 0) list.scrollTo(place); else list.refresh();
    }
  });
  apply();
  return section('tasks', 'Tasks', el('p', { class: 'tools' }, el('label', { for: 'task-filter' }, 'Filter'), input), note,
    el('div', { class: 'table', role: 'table', 'aria-label': 'Tasks' }, head, list.box));
}
