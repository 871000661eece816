/** Faults of members that resources of several areas have: currencies, organizations, and what the registry of sports knows. */
import type { Violation } from '../../schema/errors.ts';
import { suggestionFor } from '../../schema/violations.ts';
import { codesOf, type RegistryKind } from '../../schema/sport-registry.ts';
import type { Sport } from '../../schema/sports.ts';

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The fault of a currency code that ISO 4217 does not have. */
export function currencyViolation(pointer: string, code: string | null | undefined): Violation | null {
  if (!code || currencies.has(code)) return null;
  return { pointer, code: 'unknown_currency', detail: `${code} is not a currency: use its ISO 4217 code, such as EUR.` };
}

/** The fault of an organization that there is not, or that the account may not know of. */
export function unknownOrganizationViolation(pointer: string, detail = 'There is no organization with this id.'): Violation {
  return { pointer, code: 'unknown_organization', detail };
}

/** The fault of a code that the sport does not have: it names the nearest one of its own, and where all are found. */
export function registryViolation(
  pointer: string,
  sport: Sport,
  kind: RegistryKind,
  code: string | null | undefined,
): Violation | null {
  if (!code) return null;
  const known = codesOf(sport, kind);
  if (known.includes(code)) return null;
  // not the code: who shifts the columns of an import sends names as codes, and answers of batches are remembered
  const violation = `This is not ${kind === 'event' ? 'an' : 'a'} ${kind} of ${sport}${suggestionFor(code, known)}`;
  const detail = `${violation}${violation.endsWith('?') ? '' : '.'} GET /api/v1/sports names them all.`;
  return { pointer, code: `unknown_${kind}`, detail };
}

/** The faults of positions that the sport does not have; groups of positions count as positions. */
export function positionViolations(
  pointer: string,
  sport: Sport,
  positions: readonly string[] | null | undefined,
): (Violation | null)[] {
  return (positions ?? []).map((position, index) => registryViolation(`${pointer}/${index}`, sport, 'position', position));
}
