/** The number of values in a JSON text, counted before it is parsed: parsing and validation take time per value, not per byte. */
import { Problem } from '../../schema/errors.ts';

const [quote, comma, bracket, closingBracket, brace, closingBrace, backslash] = Buffer.from('",[]{}\\');

/** The index after the string that starts at `start`; the end of the text for an unterminated one. */
export function afterString(bytes: Buffer, start: number): number {
  let end = bytes.indexOf('"', start + 1, 'latin1');
  while (end !== -1) {
    let before = end - 1;
    while (bytes[before] === backslash) before -= 1;
    // an even number of backslashes escapes one another and not the quote
    if ((end - before) % 2 === 1) return end + 1;
    end = bytes.indexOf('"', end + 1, 'latin1');
  }
  return bytes.length;
}

/** Whether a value follows a character: after a comma, and after a bracket that is not closed at once. */
function precedesValue(byte: number | undefined, next: number | undefined): boolean {
  if (byte === comma) return true;
  return (byte === bracket && next !== closingBracket) || (byte === brace && next !== closingBrace);
}

/**
 * Whether a JSON text has more than `max` values: members of objects and items of lists at any depth, lists and objects included.
 * Counts the characters that precede values; an invalid text gets a number too, and the parser rejects it afterwards. Stops at `max`.
 */
export function hasMoreValues(bytes: Buffer, max: number): boolean {
  // a value takes at least two bytes with its separator
  if (bytes.length <= max) return false;
  let values = 1;
  let index = 0;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === quote) {
      index = afterString(bytes, index);
      continue;
    }
    index += 1;
    if (precedesValue(byte, bytes[index]) && ++values > max) return true;
  }
  return values > max;
}

/** Throws payload_too_large (413) for a JSON text with more than `max` values. */
export function limitValues(bytes: Buffer, max: number): void {
  if (!hasMoreValues(bytes, max)) return;
  throw new Problem('payload_too_large', `The body has more than ${max} values, counting every member, item, list and object.`, {
    maxValues: max,
  });
}
