// @ts-check
// Regular expressions of the query language. They differ from those of browsers in some signs. This reads those that mean the same to both, and
// refuses the others, so that the page never selects other tasks than `xferlog query`.

/** A regular expression that the page cannot read. The message is a clause. */
export class PatternError extends Error {}

/** @param {string} sign */
function unknown(sign) { return new PatternError(`the page does not know “${sign}” in regular expressions; use it with xferlog query`); }

const [longest, deepest] = [1024, 32];
/** What a letter after a backslash stands for, within brackets. */
const classes = new Map([['d', '\\p{Nd}'], ['w', '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}'], ['s', '\\p{White_Space}'], ['t', '\\t'], ['n', '\\n'], ['r', '\\r']]);

/** @param {string} sign */
function isMark(sign) { return /^[!-/:-@[-`{-~]$/.test(sign); }

/** @param {string} sign */
function plain(sign) { return /^[\\^$.*+?()[\]{}|/]$/.test(sign) ? `\\${sign}` : sign; }

/**
 * @param {string} source @param {boolean} isWhole whether the whole text must match @param {boolean} ignoresCase
 * @throws {PatternError}
 */
export function pattern(source, isWhole, ignoresCase) {
  if (new TextEncoder().encode(source).length > longest) throw new PatternError(`the regular expression is longer than ${longest} bytes`);
  if ((source.match(/[([]/g) ?? []).length > deepest) throw new PatternError(`the regular expression has more than ${deepest} groups and classes`);
  const translated = translate(Array.from(source.normalize('NFC')));
  try {
    return new RegExp(isWhole ? `^(?:${translated})$` : translated, ignoresCase ? 'iu' : 'u');
  } catch {
    throw new PatternError('this is not a regular expression');
  }
}

/** @param {string[]} signs */
function translate(signs) {
  const mistake = () => new PatternError('this is not a regular expression');
  let result = '';
  // Whether something precedes that a sign such as `*` may repeat.
  let canRepeat = false;
  /** @type {boolean[]} for each open group, whether it may be repeated */
  const groups = [];
  for (let place = 0; place < signs.length; place++) {
    const sign = signs[place];
    const rest = signs.slice(place, place + 12).join('');
    const repetition = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})/.exec(rest)?.[0];
    if (repetition) {
      if (!canRepeat) throw mistake();
      place += repetition.length - 1;
      const isLazy = signs[place + 1] === '?';
      if (isLazy) place++;
      if (!isLazy && signs[place + 1] === '+') throw unknown(`${repetition}+`);
      result += `${repetition}${isLazy ? '?' : ''}`;
      canRepeat = false;
      continue;
    }
    switch (sign) {
      case '\\': {
        const next = signs[++place];
        if (next === undefined) throw mistake();
        const members = classes.get(next.toLowerCase());
        if (isMark(next)) result += plain(next);
        else if (members && (next === next.toLowerCase() || 'DWS'.includes(next))) result += `[${next === next.toLowerCase() ? '' : '^'}${members}]`;
        else throw unknown(`\\${next}`);
        canRepeat = true;
        break;
      }
      case '[': {
        const end = characterClass(signs, place);
        result += end.text;
        place = end.place;
        canRepeat = true;
        break;
      }
      case '(': {
        const kind = signs[place + 1] === '?' ? signs.slice(place + 1, place + 3).join('') : '';
        if (!['', '?:', '?=', '?!'].includes(kind)) throw unknown(`(${kind}`);
        result += `(${kind}`;
        place += kind.length;
        groups.push(kind === '' || kind === '?:');
        canRepeat = false;
        break;
      }
      case ')': {
        const isOpen = groups.pop();
        if (isOpen === undefined) throw mistake();
        result += ')';
        canRepeat = isOpen;
        break;
      }
      case '|': case '^': case '$':
        result += sign;
        canRepeat = false;
        break;
      case '{': case '}': case ']': throw unknown(sign);
      case '.':
        result += '[^\\n\\v\\f\\r\\x85\\u2028\\u2029]';
        canRepeat = true;
        break;
      default:
        result += plain(sign);
        canRepeat = true;
    }
  }
  if (groups.length) throw mistake();
  return result;
}

/**
 * Reads characters in brackets.
 * @param {string[]} signs @param {number} start the place of the opening bracket
 */
function characterClass(signs, start) {
  let place = start + 1;
  let text = '[';
  if (signs[place] === '^') { text += '^'; place++; }
  // Whether the last member is one character, so that a range may begin with it.
  let isSingle = false;
  let count = 0;
  for (; signs[place] !== ']'; place++, count++) {
    const [sign, next] = [signs[place], signs[place + 1]];
    if (sign === undefined) throw new PatternError('this is not a regular expression');
    if (sign === '[') throw unknown('[ within brackets');
    if ('&-~'.includes(sign) && next === sign) throw unknown(`${sign}${sign}`);
    if (sign === '-' && isSingle && next !== ']') {
      text += '-';
      isSingle = false;
      continue;
    }
    if (sign === '\\') {
      place++;
      const members = next === undefined ? undefined : classes.get(next);
      if (members) text += members;
      else if (next !== undefined && isMark(next)) text += /[\\\]^-]/.test(next) || plain(next) !== next ? `\\${next}` : next;
      else throw unknown(`\\${next ?? ''} within brackets`);
      isSingle = !members;
    } else {
      text += sign === '-' || plain(sign) !== sign ? `\\${sign}` : sign;
      isSingle = true;
    }
  }
  if (count === 0) throw unknown('[]');
  return { text: `${text}]`, place };
}
