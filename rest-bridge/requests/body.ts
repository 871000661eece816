/** The bytes of a request body as JSON: strict UTF-8, no names that reach a prototype, no text that PostgreSQL cannot hold. */
import { Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import { escaped, violationsMax } from '../../schema/violations.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Levels of lists and objects within each other; no resource has a tenth of them. */
const depthMax = 64;

/**
 * Parses a body. Undefined when it is empty.
 * Throws Problem malformed_json (400, also for more than 64 levels), or validation_failed (422) naming each text with a NUL or a lone surrogate.
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
  const violations = inspect(value);
  if (violations.length > 0)
    throw new Problem('validation_failed', 'The body holds texts that cannot be stored.', { errors: violations });
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

/** A list or an object, and where it stands. */
interface Place {
  readonly value: object;
  readonly name: string;
  readonly parent: Place | null;
  readonly depth: number;
}

function pointerTo(place: Place | null, name: string): string {
  const steps = [escaped(name)];
  for (let at = place; at?.parent; at = at.parent) steps.push(escaped(at.name));
  return `/${steps.toReversed().join('/')}`;
}

/** What is wrong with a text, whatever it is for; null when nothing is. */
function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}

/** The texts that cannot be stored, at most faultsMax. Throws malformed_json for what is nested too deep or named __proto__. */
function inspect(value: unknown): Violation[] {
  const violations: Violation[] = [];
  const places: Place[] = [];
  const see = (inner: unknown, name: string, parent: Place | null): void => {
    if (typeof inner === 'string') {
      const detail = unstorable(inner);
      if (detail === null || violations.length === violationsMax) return;
      violations.push({ pointer: parent === null ? '' : pointerTo(parent, name), code: 'characters', detail });
    } else if (typeof inner === 'object' && inner !== null) {
      const depth = (parent?.depth ?? 0) + 1;
      if (depth > depthMax) throw new Problem('malformed_json', `The body is nested deeper than ${depthMax} levels.`);
      places.push({ value: inner, name, parent, depth });
    }
  };
  see(value, '', null);
  for (const place of places) {
    if (Array.isArray(place.value)) {
      place.value.forEach((item, index) => see(item, String(index), place));
      continue;
    }
    for (const [member, inner] of Object.entries(place.value)) {
      if (member === '__proto__') {
        const where = place.parent === null ? 'its top' : pointerTo(place.parent, place.name);
        throw new Problem('malformed_json', `The body names __proto__ at ${where}; no resource has such a member.`);
      }
      see(inner, member, place);
    }
  }
  return violations;
}
