/** Violations of filters that can match nothing: unknown codes of the sports registry, and reversed ranges. */
import { Problem, type Violation } from '../../schema/errors.ts';
import { codesOf, type RegistryKind } from '../../schema/sport-registry.ts';
import { sportNames, type Sport } from '../../schema/sports.ts';
import { suggestionFor, truncated } from '../../schema/violations.ts';

/**
 * A violation for each code that none of the sports has.
 * @param sports the sports of the filter; null: all sports
 */
export function unknownCodes(
  parameter: string,
  kind: RegistryKind,
  sports: readonly Sport[] | null | undefined,
  codes: readonly string[] | null | undefined,
): Violation[] {
  if (!codes) return [];
  const known = [...new Set((sports ?? sportNames).flatMap((sport) => codesOf(sport, kind)))];
  const article = kind === 'event' ? 'an' : 'a';
  const place = sports ? ` of ${sports.join(' or ')}` : '';
  return codes
    .filter((code) => !known.includes(code))
    .map((code) => {
      const text = `${truncated(code)} is not ${article} ${kind}${place}${suggestionFor(code, known, 3)}`;
      const detail = `${text}${text.endsWith('?') ? '' : '.'} GET /api/v1/sports lists all codes.`;
      return { parameter, code: `unknown_${kind.replace(' ', '_')}`, detail };
    });
}

/** A violation for a range whose lower bound is above its upper bound. Numbers, or days as `YYYY-MM-DD`. */
export function reversedRange<Bound extends number | string>(
  [lowName, low]: readonly [name: string, value: Bound | null | undefined],
  [highName, high]: readonly [name: string, value: Bound | null | undefined],
): Violation[] {
  const isGiven = low !== null && low !== undefined && high !== null && high !== undefined;
  if (!isGiven || low <= high) return [];
  return [{ parameter: highName, code: 'range', detail: `\`${highName}\` must not be below \`${lowName}\`.` }];
}

/** A violation for the end of a contract of athletes without a membership. */
export function withoutContract({
  freeAgent,
  contractUntil,
}: {
  readonly freeAgent?: boolean | null | undefined;
  readonly contractUntil?: string | null | undefined;
}): Violation[] {
  if (freeAgent !== true || !contractUntil) return [];
  const detail = '`freeAgent=true` selects athletes without a membership, who have no contract. Omit `contractUntil`.';
  return [{ parameter: 'contractUntil', code: 'contradicts', detail }];
}

/** Throws Problem parameter_invalid (400) with all violations of a filter, unless there are none. The text of a single one is the `detail`. */
export function rejectFilter(violations: readonly Violation[]): void {
  const [first, ...others] = violations;
  if (!first) return;
  const detail = others.length === 0 ? first.detail : `${violations.length} parameters are invalid; see \`errors\`.`;
  throw new Problem('parameter_invalid', detail, { errors: [...violations] });
}
