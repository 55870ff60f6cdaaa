// @ts-check
// The only place where elements are made. Text becomes text nodes, never markup.
import { countText } from './format.js';

/** @typedef {string | number | Node | null | undefined | false} Child */

const attributeNames = new Set([
  'class', 'id', 'role', 'type', 'tabindex', 'title', 'for', 'name', 'value', 'placeholder', 'hidden', 'open', 'scope', 'checked', 'rows',
  'readonly', 'disabled', 'spellcheck', 'autocomplete', 'lang',
]);

/**
 * Creates an element. A function among the attributes is a listener, named by its event. Attributes that could load or run something
 * are refused.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (attributeNames.has(name) || name.startsWith('aria-') || name.startsWith('data-')) element.setAttribute(name, name.startsWith('data-') ? String(value) : visible(String(value)));
    else throw new Error(`attribute ${name} is not allowed`);
  }
  add(element, ...children);
  return element;
}

/**
 * Appends children; strings and numbers become text.
 * @param {Node} parent
 * @param {...Child} children
 */
export function add(parent, ...children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.textContent = '';
  add(parent, ...children);
}

/**
 * Shows a text, without a change of the element if it shows the text already. A screen reader would read it again.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) { if (element.textContent !== visible(text)) fill(element, text); }

/**
 * Shows characters that control the direction or the layout of text as escapes.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
  });
}

/**
 * A section of the page with a heading.
 * @param {string} id
 * @param {string} title
 * @param {...Child} children
 */
export function section(id, title, ...children) {
  return el('section', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title`, tabindex: -1 }, title), ...children);
}

/** The largest number of rows of a list that are printed. */
const longestPrint = 1000;

/**
 * A list that has only the visible rows in the document, and while it is printed also the others.
 * @param {{ height: number, label: string, columns?: string, render: (index: number) => HTMLElement }} options
 */
export function virtualList(options) {
  const space = el('div', { class: 'list-space' });
  const rows = el('div', { class: 'list-rows', role: 'presentation' });
  const rest = el('p', { class: 'list-rest', hidden: true });
  const box = el('div', { class: 'list', tabindex: 0, role: 'group', 'aria-label': options.label, scroll: () => draw() }, space, rows, rest);
  let count = 0;
  let first = -1;
  let last = -1;
  let isPrinted = false;
  function draw(force = false) {
    const from = isPrinted ? 0 : Math.max(0, Math.floor(box.scrollTop / options.height) - 5);
    const to = Math.min(count, isPrinted ? longestPrint : Math.ceil((box.scrollTop + box.clientHeight) / options.height) + 5);
    if (!force && from === first && to === last) return;
    [first, last] = [from, to];
    rows.style.transform = `translateY(${from * options.height}px)`;
    const made = [];
    for (let index = from; index < to; index++) made.push(options.render(index));
    rows.replaceChildren(...made);
  }
  new ResizeObserver(() => draw(true)).observe(box);
  for (const event of ['beforeprint', 'afterprint']) {
    addEventListener(event, () => {
      isPrinted = event === 'beforeprint';
      rest.hidden = !isPrinted || count <= longestPrint;
      rest.textContent = `${countText(count - longestPrint)} more rows are not printed.`;
      draw(true);
    });
  }
  return {
    box,
    /** @param {number} length */
    show(length) {
      count = length;
      space.style.height = `${length * options.height}px`;
      if (box.scrollTop > length * options.height) box.scrollTop = 0;
      draw(true);
    },
    /** @param {number} index */
    scrollTo(index) {
      const top = index * options.height;
      if (top < box.scrollTop || top + options.height > box.scrollTop + box.clientHeight) {
        box.scrollTop = Math.max(0, top - box.clientHeight / 2);
      }
      draw(true);
    },
    refresh() { draw(true); },
  };
}
