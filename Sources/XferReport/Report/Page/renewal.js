// @ts-check
// Keeps the focus and the scroll positions of a part of the page whose contents are made again.

/** @param {Element} part */
function controlsIn(part) { return [...part.querySelectorAll('button, input, select, textarea, summary, [tabindex]')]; }

/** @param {Element} control */
function nameOf(control) { return `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`; }

/**
 * Notes which control within a part has the focus.
 * @param {Element} part
 * @returns {(next: Element) => void} gives the focus to the same control of the new contents
 */
export function focusIn(part) {
  const control = document.activeElement;
  if (!control || control === part || !part.contains(control)) return () => {};
  const name = nameOf(control);
  // Several controls may have the same name.
  const place = controlsIn(part).filter((entry) => nameOf(entry) === name).indexOf(control);
  return (next) => {
    if (control.isConnected && document.activeElement === control) return;
    const same = next.contains(control) ? control : controlsIn(next).filter((entry) => nameOf(entry) === name)[place];
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  };
}

/**
 * Notes the focus, the open details and the scroll positions within a part.
 * @param {Element} part
 * @returns {(next: Element) => void} restores them in the new contents
 */
export function placeIn(part) {
  const focus = focusIn(part);
  const boxes = (/** @type {Element} */ root) => [root, ...root.querySelectorAll('.scroll, pre')];
  const scrolled = boxes(part).map((box) => [box.scrollLeft, box.scrollTop]);
  const open = [...part.querySelectorAll('details')].map((details) => details.open);
  return (next) => {
    next.querySelectorAll('details').forEach((details, place) => { details.open = open[place] ?? false; });
    boxes(next).forEach((box, place) => { if (scrolled[place]) [box.scrollLeft, box.scrollTop] = scrolled[place]; });
    focus(next);
  };
}

/**
 * A part of the page that is made again when the model changes.
 * @param {import('./state.js').State} state
 * @param {() => HTMLElement | null} make returns `null` while there is nothing to show
 * @returns {Node}
 */
export function renewed(state, make) {
  /** @type {HTMLElement | Comment} */
  let shown = make() ?? document.createComment('');
  state.observe((names) => {
    if (!names.includes('model')) return;
    const next = make() ?? document.createComment('');
    const restore = shown instanceof HTMLElement ? placeIn(shown) : () => {};
    shown.replaceWith(next);
    shown = next;
    if (next instanceof HTMLElement) restore(next);
  });
  return shown;
}
