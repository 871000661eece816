/** When two profiles can be merged: no viewer may read more of the duplicate than before (docs/minors.md). */
import type { Violation } from '../../../schema/errors.ts';
import type { Visibility } from '../generated/resolvers.ts';
import { isTreatedAsMinor } from './age.ts';
import type { AthleteRow } from './rows.ts';

const openness: Readonly<Record<Visibility, number>> = { PRIVATE: 0, ORGANIZATIONS: 1, PUBLIC: 2 };

type VisibilityMembers = Pick<AthleteRow, 'status' | 'visibility' | 'activatedAsMinor' | 'adultFrom' | 'consentScopes'>;

/** Whether all viewers of a profile can read at least as much of another one. */
function isAtMostAsVisible(one: VisibilityMembers, other: VisibilityMembers): boolean {
  if (one.status !== 'ACTIVE' || openness[one.visibility] === 0) return true;
  if (other.status !== 'ACTIVE' || openness[other.visibility] < openness[one.visibility]) return false;
  if (!isTreatedAsMinor(one)) return !isTreatedAsMinor(other);
  return !isTreatedAsMinor(other) || one.consentScopes.every((scope) => other.consentScopes.includes(scope));
}

const contradict = <Value>(one: Value | null, other: Value | null): boolean => one !== null && other !== null && one !== other;

const birthYearOf = ({ dateOfBirth, birthYear }: AthleteRow): number | null =>
  dateOfBirth ? Number(dateOfBirth.slice(0, 4)) : birthYear;

/** Violations that prevent merging a duplicate into a target profile. */
export function mergeViolations(duplicate: AthleteRow, target: AthleteRow): (Violation | false)[] {
  const violation = (code: string, detail: string): Violation => ({ pointer: '/intoId', code, detail });
  return [
    duplicate.sex !== target.sex && violation('other_sex', 'The two profiles have different values of `sex`.'),
    (contradict(duplicate.dateOfBirth, target.dateOfBirth) || contradict(birthYearOf(duplicate), birthYearOf(target))) &&
      violation('other_birth', 'The two profiles have different birth dates.'),
    !isAtMostAsVisible(target, duplicate) &&
      violation(
        'shown_to_more',
        'The target profile is visible to more viewers, or with more members, than the duplicate. Merge in the other direction, or let the owner of the duplicate publish it first.',
      ),
  ];
}
