/** Violations of members that several areas share: currencies, organizations, and codes of the sports registry. */
import type { Violation } from '../../schema/errors.ts';
import { suggestionFor } from '../../schema/violations.ts';
import { codesOf, type RegistryKind } from '../../schema/sport-registry.ts';
import type { Sport } from '../../schema/sports.ts';

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The violation for a currency code that is not in ISO 4217. */
export function currencyViolation(pointer: string, code: string | null | undefined): Violation | null {
  if (!code || currencies.has(code)) return null;
  return { pointer, code: 'unknown_currency', detail: `${code} is not a currency: use its ISO 4217 code, such as EUR.` };
}

/** The violation for an unknown organization; hidden organizations return the same. */
export function unknownOrganizationViolation(pointer: string, detail = 'There is no organization with this ID.'): Violation {
  return { pointer, code: 'unknown_organization', detail };
}

/** The violation for a code that the sport does not have. It suggests the nearest code and where to find all codes. */
export function registryViolation(
  pointer: string,
  sport: Sport,
  kind: RegistryKind,
  code: string | null | undefined,
): Violation | null {
  if (!code) return null;
  const known = codesOf(sport, kind);
  if (known.includes(code)) return null;
  // The code is not repeated: an import with shifted columns sends names as codes, and batch responses are stored.
  const violation = `This is not ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} of ${sport}${suggestionFor(code, known)}`;
  const detail = `${violation}${violation.endsWith('?') ? '' : '.'} GET /api/v1/sports lists all codes.`;
  return { pointer, code: `unknown_${kind.replace(' ', '_')}`, detail };
}

/** Violations of names by language: one name for each language and script, compared in canonical form (BCP 47, RFC 5646 section 4.5). */
export function localizedNameViolations(names: readonly { readonly language: string }[] | null | undefined): Violation[] {
  const known = new Set<string>();
  return (names ?? []).flatMap(({ language }, index) => {
    const canonical = canonicalLanguage(language);
    const pointer = `/names/${index}/language`;
    const detail = 'must be a language tag, such as en, pt-BR or sr-Latn';
    if (canonical === null) return [{ pointer, code: 'format', detail }];
    if (known.has(canonical)) return [{ pointer, code: 'duplicate', detail: `There is already a name in ${canonical}.` }];
    known.add(canonical);
    return [];
  });
}

function canonicalLanguage(language: string): string | null {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? null;
  } catch {
    return null;
  }
}

/** Violations for positions that the sport does not have. Position groups are valid positions. */
export function positionViolations(
  pointer: string,
  sport: Sport,
  positions: readonly string[] | null | undefined,
): (Violation | null)[] {
  return (positions ?? []).map((position, index) => registryViolation(`${pointer}/${index}`, sport, 'position', position));
}
