/** Parses a request body as JSON: strict UTF-8, no `__proto__` members, no repeated members, no text that PostgreSQL cannot store. */
import { repeatedMember } from '../../platform/http/json-members.ts';
import { limitValues } from '../../platform/http/json-size.ts';
import { decodeUtf8 } from '../../platform/http/utf8-body.ts';
import { Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import { escaped, violationsMax } from '../../schema/violations.ts';

/** Maximum nesting of lists and objects; no resource needs a tenth of it. */
const depthMax = 64;

/**
 * Parses a body; undefined when it is empty.
 * Throws Problem payload_too_large (413) for more than `maxValues` values, malformed_json (400, also for more than 64 levels and repeated members), or
 * validation_failed (422) with each string that cannot be stored.
 */
export function parseBody(bytes: unknown, maxValues: number): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  limitValues(bytes, maxValues);
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed_json', `The request body is not valid JSON${positionOf(error, text)}.`);
  }
  const { violations, members } = inspect(value);
  const repeated = repeatedMember(bytes, members);
  if (repeated !== null) throw repeated;
  if (violations.length > 0)
    throw new Problem('validation_failed', 'The request body contains strings that cannot be stored.', { errors: violations });
  return value;
}

/** The position at which the parser failed, without the text of the body, which may contain personal data and is logged. */
function positionOf(error: unknown, text: string): string {
  if (/unexpected end|unterminated/i.test(String(error))) return `: it ends unexpectedly at position ${text.length}`;
  const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error))?.[0];
  return place ? `: unexpected input ${place}` : '';
}

/** A list or an object, and its position. */
interface Place {
  readonly value: object;
  readonly name: string;
  readonly parent: Place | null;
  readonly depth: number;
}

function pointerTo(place: Place | null, name: string): string {
  const tokens = [escaped(name)];
  for (let at = place; at?.parent; at = at.parent) tokens.push(escaped(at.name));
  return `/${tokens.toReversed().join('/')}`;
}

/** Why a string cannot be stored; null when it can. */
function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain unpaired surrogates';
}

/** The strings that cannot be stored, at most violationsMax, and the number of members of all objects. Throws malformed_json for deep nesting and `__proto__`. */
function inspect(value: unknown): { readonly violations: Violation[]; readonly members: number } {
  const violations: Violation[] = [];
  let members = 0;
  const places: Place[] = [];
  const visit = (inner: unknown, name: string, parent: Place | null): void => {
    if (typeof inner === 'string') {
      const detail = unstorable(inner);
      if (detail === null || violations.length === violationsMax) return;
      violations.push({ pointer: parent === null ? '' : pointerTo(parent, name), code: 'characters', detail });
    } else if (typeof inner === 'object' && inner !== null) {
      const depth = (parent?.depth ?? 0) + 1;
      if (depth > depthMax) throw new Problem('malformed_json', `The request body is nested more than ${depthMax} levels deep.`);
      places.push({ value: inner, name, parent, depth });
    }
  };
  visit(value, '', null);
  for (const place of places) {
    if (Array.isArray(place.value)) {
      place.value.forEach((item, index) => visit(item, String(index), place));
      continue;
    }
    for (const [member, inner] of Object.entries(place.value)) {
      members += 1;
      if (member === '__proto__') {
        const where = place.parent === null ? 'its top level' : pointerTo(place.parent, place.name);
        throw new Problem('malformed_json', `The request body has a member named __proto__ at ${where}, which is not allowed.`);
      }
      visit(inner, member, place);
    }
  }
  return { violations, members };
}
