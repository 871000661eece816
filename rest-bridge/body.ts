/** The bytes of a request body as JSON: strict UTF-8, no names that reach a prototype, no text that PostgreSQL cannot hold. */
import { Problem } from '../schema/errors.ts';
import type { Fault } from '../schema/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Only these spellings can hide a NUL, a lone surrogate or `__proto__`; without them the value needs no walk. */
const suspicious = /\\u|__proto__/;

/**
 * Parses a body. Undefined when it is empty.
 * Throws Problem malformed_json (400), or validation_failed (422) naming each text with a NUL or a lone surrogate.
 */
export function parseBody(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  const text = decode(bytes);
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed_json', `The body is not JSON: ${explain(error)}`);
  }
  if (suspicious.test(text)) {
    const faults: Fault[] = [];
    walk(value, '', faults);
    if (faults.length > 0)
      throw new Problem('validation_failed', 'The body holds texts that cannot be stored.', { errors: faults });
  }
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('malformed_json', 'The body is not UTF-8.');
  }
}

/** Where the parser stopped, without the body's text: it may hold personal data and ends up in logs. */
function explain(error: unknown): string {
  const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error))?.[0];
  return place ? `it stops making sense ${place}.` : 'it ends too early or holds something else.';
}

function walk(value: unknown, pointer: string, faults: Fault[]): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) faults.push({ pointer, code: 'characters', detail: 'must not contain NUL characters' });
    else if (!value.isWellFormed())
      faults.push({ pointer, code: 'characters', detail: 'must not contain half of a surrogate pair' });
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, `${pointer}/${index}`, faults));
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      if (member === '__proto__')
        throw new Problem(
          'malformed_json',
          `The body names __proto__ at ${pointer === '' ? 'its top' : pointer}; no resource has such a member.`,
        );
      walk(inner, `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`, faults);
    }
  }
}
