/** Repeated members in a JSON text, which JSON.parse overwrites: RFC 8259 leaves their meaning open, and parsers differ. */
import { Problem } from '../../schema/errors.ts';
import { afterString } from './json-size.ts';

const [quote, colon, brace, closingBrace] = Buffer.from('":{}');

/** The number of members of all objects in a valid JSON text: each has one colon outside of texts. */
export function countMembers(bytes: Buffer): number {
  let members = 0;
  let index = 0;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === quote) {
      index = afterString(bytes, index);
    } else {
      if (byte === colon) members += 1;
      index += 1;
    }
  }
  return members;
}

/** The position of the first member that repeats one of its object in a valid JSON text; -1 without one. */
export function findRepeatedMember(bytes: Buffer): number {
  const objects: Set<unknown>[] = [];
  let text = { start: 0, end: 0 };
  let index = 0;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === quote) {
      text = { start: index, end: afterString(bytes, index) };
      index = text.end;
      continue;
    }
    if (byte === brace) objects.push(new Set());
    else if (byte === closingBrace) objects.pop();
    else if (byte === colon) {
      // the text before a colon is a name; different escapes can spell the same one
      const name: unknown = JSON.parse(bytes.toString('utf8', text.start, text.end));
      const names = objects.at(-1);
      if (names?.has(name) === true) return text.start;
      names?.add(name);
    }
    index += 1;
  }
  return -1;
}

/** The number of members of all objects in a parsed value, of any depth. */
export function membersIn(value: unknown): number {
  let members = 0;
  const waiting = [value];
  for (const each of waiting) {
    if (typeof each !== 'object' || each === null) continue;
    const inner: readonly unknown[] = Object.values(each);
    if (!Array.isArray(each)) members += inner.length;
    for (const item of inner) if (typeof item === 'object') waiting.push(item);
  }
  return members;
}

/**
 * The problem malformed_json (400) of a valid JSON text in which an object repeats a member; null without one.
 * @param members the number of members of its parsed value
 */
export function repeatedMember(bytes: Buffer, members: number): Problem | null {
  // cheap for texts without repeated members: only the others are searched for them
  if (members === countMembers(bytes)) return null;
  const position = findRepeatedMember(bytes);
  return new Problem(
    'malformed_json',
    `The request body has two members of the same name in one object: the second is at position ${position}.`,
  );
}
