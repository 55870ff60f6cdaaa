// @ts-check
// Reads the data of the report.
import { inflatedText } from './inflate.js';

/**
 * @param {string} base64
 * @returns {Uint8Array}
 */
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}

/**
 * @param {Uint8Array} bytes a zlib stream
 * @returns {Promise<string>}
 */
async function inflate(bytes) {
  if (typeof DecompressionStream === 'undefined') return inflatedText(bytes);
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // A failure shows up when the other end is read.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const decoder = new TextDecoder();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/**
 * @param {string} base64
 * @returns {Promise<import('./types').Data>}
 */
export function decode(base64) {
  if (base64 === '') throw new Error('the data is missing; a report in several files needs data.js beside its page');
  return decodeBytes(bytesOf(base64));
}

/**
 * @param {Uint8Array} bytes a zlib stream
 * @returns {Promise<import('./types').Data>}
 */
export async function decodeBytes(bytes) {
  const data = JSON.parse(await inflate(bytes));
  if (data.schema !== 'xferlog.report/1') throw new Error(`the data has the format ${data.schema}`);
  return data;
}
