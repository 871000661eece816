/** Violations of absences. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { AbsenceDisclosure, AbsenceKind, HealthConsentInput } from '../generated/resolvers.ts';

export interface AbsenceValues {
  readonly kind: AbsenceKind;
  readonly disclosure: AbsenceDisclosure;
  readonly startDate: string;
  readonly expectedEndDate?: string | null | undefined;
  readonly endDate?: string | null | undefined;
  readonly competitionId?: string | null | undefined;
  readonly matchCount?: number | null | undefined;
  readonly healthConsent?: HealthConsentInput | null | undefined;
}

type Violations = readonly (Violation | false | null)[];

const healthKinds: readonly AbsenceKind[] = ['INJURY', 'ILLNESS'];

/** What other accounts read of an absence by default. Reasons that concern the person alone stay with the owner. */
export const defaultDisclosure = (kind: AbsenceKind): AbsenceDisclosure =>
  kind === 'SUSPENSION' || kind === 'INTERNATIONAL_DUTY' ? 'ALL' : 'OWNER';

function healthViolations({ kind, disclosure, healthConsent }: AbsenceValues, isMinor: boolean): Violations {
  const pointer = '/healthConsent';
  const isHealth = healthKinds.includes(kind);
  return [
    !!healthConsent &&
      !isHealth && { pointer, code: 'not_for_kind', detail: 'Only an absence of kind INJURY or ILLNESS has `healthConsent`.' },
    !!healthConsent &&
      isMinor && {
        pointer,
        code: 'minor',
        detail: 'A guardian consents for a minor. Record a consent with the scope HEALTH and omit `healthConsent`.',
      },
    isHealth &&
      !isMinor &&
      disclosure === 'ALL' &&
      !healthConsent && {
        pointer,
        code: 'required',
        detail: 'To publish health data, record the consent of the athlete. Otherwise set `disclosure` to DATES or OWNER.',
      },
  ];
}

/** Violations of an absence after a write. `isMinor`: a guardian decides about the athlete's health data. */
export function absenceViolations(values: AbsenceValues, isMinor: boolean): Violations {
  const { kind, startDate, expectedEndDate, endDate, competitionId, matchCount } = values;
  const notForKind = (member: string): Violation => ({
    pointer: `/${member}`,
    code: 'not_for_kind',
    detail: `Only an absence of kind SUSPENSION has \`${member}\`.`,
  });
  const beforeStart = (member: string): Violation => ({
    pointer: `/${member}`,
    code: 'before_start',
    detail: `The absence cannot end before it starts on ${startDate}.`,
  });
  return [
    !!expectedEndDate && expectedEndDate < startDate && beforeStart('expectedEndDate'),
    !!endDate && endDate < startDate && beforeStart('endDate'),
    kind !== 'SUSPENSION' && !!competitionId && notForKind('competitionId'),
    kind !== 'SUSPENSION' && !!matchCount && notForKind('matchCount'),
    ...healthViolations(values, isMinor),
  ];
}
