// @ts-check
// Decompresses a zlib stream (RFC 1950 and 1951), for browsers without `DecompressionStream`.

/** @typedef {{ table: Uint16Array, width: number }} PrefixCode */

const runBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const runBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBases = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193,
  12289, 16385, 24577];
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

// A distance reaches back this far at most.
const windowSize = 32_768;
// No string can be longer.
const mostBytes = 2 ** 29 - 25;

/** @param {string} problem */
function damage(problem) { return new Error(`the compressed data is damaged: ${problem}`); }

/**
 * A table from the next bits of the data to a symbol and the length of its code (in the lowest four bits). Zero means that no symbol
 * has such a code.
 * @param {ArrayLike<number>} lengths the length of the code of each symbol
 * @param {boolean} mayBeIncomplete whether a single code of one bit is enough
 * @returns {PrefixCode}
 */
function prefixCode(lengths, mayBeIncomplete) {
  const counts = new Uint16Array(16);
  for (let symbol = 0; symbol < lengths.length; symbol++) counts[lengths[symbol]]++;
  counts[0] = 0;
  const next = new Uint32Array(16);
  let [free, width] = [1, 0];
  for (let length = 1; length < 16; length++) {
    free = free * 2 - counts[length];
    if (free < 0) throw damage('too many codes');
    next[length] = (next[length - 1] + counts[length - 1]) << 1;
    if (counts[length] > 0) width = length;
  }
  if (width > 0 && free > 0 && !(mayBeIncomplete && width === 1)) throw damage('codes are missing');
  const table = new Uint16Array(1 << width);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    let code = next[length]++;
    let reversed = 0;
    for (let bit = 0; bit < length; bit++, code >>= 1) reversed = reversed << 1 | code & 1;
    for (let place = reversed; place < table.length; place += 1 << length) table[place] = symbol << 4 | length;
  }
  return { table, width };
}

/** @returns {[PrefixCode, PrefixCode]} the codes of blocks that do not define their own */
function fixedCodes() {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return [prefixCode(lengths, false), prefixCode(new Uint8Array(32).fill(5), false)];
}

/**
 * The text in a zlib stream.
 * @param {Uint8Array} bytes
 * @returns {string}
 * @throws {Error} if the stream is damaged or truncated, or if anything follows it
 */
export function inflatedText(bytes) {
  let [place, word, held] = [0, 0, 0];
  const output = new Uint8Array(1 << 20);
  // `output` has the window, and from `fresh` on the bytes whose text is not in `parts`.
  let [fresh, filled, total, low, high] = [0, 0, 0, 1, 0];
  /** @type {string[]} */
  const parts = [];
  const decoder = new TextDecoder();

  /** @param {number} count at most 16 */
  function bits(count) {
    while (held < count) {
      if (place >= bytes.length) throw new Error('the compressed data is truncated');
      word |= bytes[place++] << held;
      held += 8;
    }
    const value = word & (1 << count) - 1;
    word >>>= count;
    held -= count;
    return value;
  }

  /** @param {PrefixCode} code */
  function symbolOf(code) {
    for (; held < code.width && place < bytes.length; held += 8) word |= bytes[place++] << held;
    const found = code.table[word & (1 << code.width) - 1];
    const length = found & 15;
    if (length > held || length === 0 && held < code.width) throw new Error('the compressed data is truncated');
    if (length === 0) throw damage('an unknown code');
    word >>>= length;
    held -= length;
    return found >>> 4;
  }

  /** Returns to the first whole byte that was not used. */
  function align() {
    place -= held >> 3;
    [word, held] = [0, 0];
  }

  function flush() {
    total += filled - fresh;
    if (total > mostBytes) throw new Error('the data is too large for this browser');
    for (let start = fresh; start < filled; start += 3800) {
      for (let at = start; at < Math.min(filled, start + 3800); at++) high += low += output[at];
      low %= 65_521;
      high %= 65_521;
    }
    parts.push(decoder.decode(output.subarray(fresh, filled), { stream: true }));
    const kept = Math.min(filled, windowSize);
    output.copyWithin(0, filled - kept, filled);
    fresh = filled = kept;
  }

  function storedBlock() {
    align();
    const [length, complement] = [bits(16), bits(16)];
    if ((length ^ complement) !== 0xFFFF) throw damage('a length is wrong');
    if (place + length > bytes.length) throw new Error('the compressed data is truncated');
    if (filled + length > output.length) flush();
    output.set(bytes.subarray(place, place + length), filled);
    filled += length;
    place += length;
  }

  /** @returns {[PrefixCode, PrefixCode]} */
  function ownCodes() {
    const [literals, distances, count] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    if (literals > 286 || distances > 30) throw damage('too many symbols');
    const first = new Uint8Array(19);
    for (let number = 0; number < count; number++) first[lengthOrder[number]] = bits(3);
    const code = prefixCode(first, false);
    const lengths = new Uint8Array(literals + distances);
    for (let number = 0; number < lengths.length;) {
      const symbol = symbolOf(code);
      if (symbol < 16) { lengths[number++] = symbol; continue; }
      if (symbol === 16 && number === 0) throw damage('nothing can be repeated');
      const value = symbol === 16 ? lengths[number - 1] : 0;
      const times = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
      if (number + times > lengths.length) throw damage('too many lengths');
      lengths.fill(value, number, number += times);
    }
    if (lengths[256] === 0) throw damage('no code ends a block');
    return [prefixCode(lengths.subarray(0, literals), true), prefixCode(lengths.subarray(literals), true)];
  }

  /** @param {PrefixCode} literals @param {PrefixCode} distances */
  function codedBlock(literals, distances) {
    for (;;) {
      if (filled + 258 > output.length) flush();
      const symbol = symbolOf(literals);
      if (symbol < 256) { output[filled++] = symbol; continue; }
      if (symbol === 256) return;
      if (symbol > 285) throw damage('an unknown length');
      const length = runBases[symbol - 257] + bits(runBits[symbol - 257]);
      const far = symbolOf(distances);
      if (far > 29) throw damage('an unknown distance');
      const distance = distanceBases[far] + bits(distanceBits[far]);
      if (distance > filled) throw damage('a distance reaches too far back');
      for (const end = filled + length; filled < end; filled++) output[filled] = output[filled - distance];
    }
  }

  const [method, flags] = [bits(8), bits(8)];
  if ((method & 15) !== 8 || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0 || flags & 32) throw damage('no zlib stream');
  for (let isLast = false; !isLast;) {
    isLast = bits(1) === 1;
    const kind = bits(2);
    if (kind === 0) storedBlock();
    else if (kind === 1) codedBlock(...fixedCodes());
    else if (kind === 2) codedBlock(...ownCodes());
    else throw damage('an unknown block');
  }
  align();
  flush();
  const sum = [bits(8), bits(8), bits(8), bits(8)].reduce((sum, byte) => sum * 256 + byte, 0);
  if (sum !== high * 65_536 + low) throw damage('the checksum is wrong');
  if (place < bytes.length) throw damage('something follows it');
  parts.push(decoder.decode());
  return parts.join('');
}
