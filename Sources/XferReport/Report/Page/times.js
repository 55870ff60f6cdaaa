// @ts-check
// Times as people write them in queries, such as `5m ago`, `yesterday` or `14:02`, read as `xferlog query` reads them.
import { showsUTC } from './format.js';

/** @type {[string, bigint][]} */
const spanUnits = [
  ['ns', 1n], ['us µs', 1000n], ['ms', 1000n ** 2n], ['s sec secs second seconds', 1000n ** 3n], ['m min mins minute minutes', 60n * 1000n ** 3n],
  ['h hr hour hours', 3600n * 1000n ** 3n], ['d day days', 86_400n * 1000n ** 3n], ['w week weeks', 604_800n * 1000n ** 3n],
];
const scales = new Map(spanUnits.flatMap(([names, scale]) => names.split(' ').map((name) => /** @type {[string, bigint]} */ ([name, scale]))));
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const latest = 2n ** 63n;

/**
 * The nanoseconds of a text such as `30s`, `1h30m` or `2 hours`; `null` for another text.
 * @param {string} text
 */
function span(text) {
  let rest = text.replace(/ /g, '');
  if (rest === '') return null;
  let total = 0n;
  while (rest !== '') {
    const found = /^(\d+)(?:\.(\d+))?([\p{L}µ]+)/u.exec(rest);
    const scale = found && scales.get(found[3]);
    if (!found || !scale) return null;
    total += (BigInt(found[1]) * 1000n ** 3n + BigInt((found[2] ?? '').slice(0, 9).padEnd(9, '0'))) * scale / 1000n ** 3n;
    rest = rest.slice(found[0].length);
  }
  return total < latest ? total : null;
}

/**
 * Returns a date with a time of day, in the zone that the page shows, as nanoseconds since 1970; `null` if the date does not exist.
 * @param {number[]} date year, month and day
 * @param {{ hour: number, minute: number, second: number, fraction: bigint, offset: number | null }} clock
 */
function moment([year, month, day], { hour, minute, second, fraction, offset }) {
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  const time = new Date(0);
  if (showsUTC() || offset !== null) {
    time.setUTCFullYear(year, month - 1, day);
    if (time.getUTCDate() !== day) return null;
    time.setUTCHours(hour, minute, second - (offset ?? 0));
  } else {
    time.setHours(0, 0, 0, 0);
    time.setFullYear(year, month - 1, day);
    if (time.getDate() !== day) return null;
    time.setHours(hour, minute, second);
  }
  const nanoseconds = BigInt(time.getTime()) * 1000n ** 2n + fraction;
  return nanoseconds < latest && nanoseconds >= -latest ? nanoseconds : null;
}

/**
 * A time of day such as `14:00` or `14:00:07.118`, with or without `Z` or an offset such as `+01:00`; `null` for another text.
 * @param {string} text
 */
function timeOfDay(text) {
  const found = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d+))?)? *(?:([Zz])|([-+])(\d\d):?(\d\d))?$/.exec(text);
  if (!found) return null;
  const [hours, minutes] = [Number(found[7] ?? 0), Number(found[8] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return {
    hour: Number(found[1]), minute: Number(found[2]), second: Number(found[3] ?? 0), fraction: BigInt((found[4] ?? '').slice(0, 9).padEnd(9, '0')),
    offset: found[5] ? 0 : found[6] ? (hours * 3600 + minutes * 60) * (found[6] === '-' ? -1 : 1) : null,
  };
}

/**
 * The year, the month and the day in a zone, some days earlier than a time.
 * @param {number} time milliseconds since 1970
 * @param {number | null} offset the zone in seconds east of UTC; `null` means the zone that the page shows
 */
function dateOf(time, offset, daysAgo = 0) {
  if (offset === null && !showsUTC()) {
    const local = new Date(time);
    local.setDate(local.getDate() - daysAgo);
    return [local.getFullYear(), local.getMonth() + 1, local.getDate()];
  }
  const utc = new Date(time + (offset ?? 0) * 1000 - daysAgo * 86_400_000);
  return [utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate()];
}

const midnight = { hour: 0, minute: 0, second: 0, fraction: 0n, offset: null };

/**
 * Nanoseconds since 1970 of a time such as `5m ago`, `yesterday`, `friday`, `14:02` or `2026-11-20 14:02`; `null` for another text.
 * @param {string} text
 * @param {number} now milliseconds since 1970
 */
export function timeExpression(text, now) {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase();
  if (word === 'now') return BigInt(now) * 1000n ** 2n;
  const ago = { today: 0, yesterday: 1, tomorrow: -1 }[word];
  if (ago !== undefined) return moment(dateOf(now, null, ago), midnight);
  const weekday = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  if (weekday >= 0) return moment(dateOf(now, null, ((showsUTC() ? new Date(now).getUTCDay() : new Date(now).getDay()) - weekday + 7) % 7), midnight);
  const before = span(word.replace(/ago$/, '').replace(/^-/, ''));
  if (before !== null) return BigInt(now) * 1000n ** 2n - before;
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](.*))?$/.exec(trimmed);
  const clock = found ? (found[4] === undefined ? midnight : timeOfDay(found[4].trim())) : timeOfDay(trimmed);
  return clock && moment(found ? found.slice(1, 4).map(Number) : dateOf(now, clock.offset), clock);
}
