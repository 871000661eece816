/** When two profiles may be made one: nothing of the second may be seen by more people than before (docs/minors.md). */
import type { Violation } from '../../../schema/errors.ts';
import type { Visibility } from '../resolvers.generated.ts';
import { isTreatedAsMinor } from './age.ts';
import type { AthleteRow } from './rows.ts';

const openness: Readonly<Record<Visibility, number>> = { PRIVATE: 0, ORGANIZATIONS: 1, PUBLIC: 2 };

type Shown = Pick<AthleteRow, 'status' | 'visibility' | 'activatedAsMinor' | 'adultFrom' | 'consentScopes'>;

/** Whether all who see a profile see the other one, too, and as much of it. */
function showsNoMore(first: Shown, second: Shown): boolean {
  if (first.status !== 'ACTIVE' || openness[first.visibility] === 0) return true;
  if (second.status !== 'ACTIVE' || openness[second.visibility] < openness[first.visibility]) return false;
  if (!isTreatedAsMinor(first)) return !isTreatedAsMinor(second);
  return !isTreatedAsMinor(second) || first.consentScopes.every((scope) => second.consentScopes.includes(scope));
}

const contradict = <Value>(one: Value | null, other: Value | null): boolean => one !== null && other !== null && one !== other;

const yearOf = ({ dateOfBirth, birthYear }: AthleteRow): number | null =>
  dateOfBirth ? Number(dateOfBirth.slice(0, 4)) : birthYear;

/** Why a second profile cannot become one with the first; nothing where it can. */
export function mergeViolations(second: AthleteRow, first: AthleteRow): (Violation | false)[] {
  const violation = (code: string, detail: string): Violation => ({ pointer: '/intoId', code, detail });
  return [
    second.sex !== first.sex && violation('other_sex', 'The two compete in different categories.'),
    (contradict(second.dateOfBirth, first.dateOfBirth) || contradict(yearOf(second), yearOf(first))) &&
      violation('other_birth', 'The two were born at different times.'),
    !showsNoMore(first, second) &&
      violation(
        'shown_to_more',
        'The other profile is shown to people, or shows them something, that the duplicate hides: merge the other way round, or have its owner show it first.',
      ),
  ];
}
