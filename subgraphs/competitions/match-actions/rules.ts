/** Validation of match actions. */
import type { Violation } from '../../../schema/errors.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';

/** The validated members of an action. */
interface ActionMembers {
  readonly minute?: number | null | undefined;
  readonly addedMinute?: number | null | undefined;
  readonly participantId?: string | null | undefined;
  readonly athleteId?: string | null | undefined;
  readonly assistId?: string | null | undefined;
}

/** An entry of the match, as far as actions refer to it. */
interface MatchEntry {
  readonly participantId: string | null;
  readonly athleteIds: readonly string[];
}

/** The violation for an athlete that is unknown or missing from an existing line-up. */
function athleteViolation(
  pointer: string,
  id: string | null | undefined,
  known: ReadonlySet<string>,
  entries: readonly MatchEntry[],
  hasLineup: boolean,
): Violation | null {
  if (!id || entries.some(({ athleteIds }) => athleteIds.includes(id))) return null;
  if (!known.has(id)) return unknownAthleteViolation(pointer);
  const detail = 'The athlete is in no line-up of the match. Add the athlete to a line-up first.';
  return hasLineup ? { pointer, code: 'not_in_match', detail } : null;
}

/** Validates an action at `pointer` in a match with these entries. `known` are the athletes that the caller can refer to. */
export function actionViolations(
  { minute, addedMinute, participantId, athleteId, assistId }: ActionMembers,
  entries: readonly MatchEntry[],
  known: ReadonlySet<string>,
  pointer = '',
): (Violation | null | false)[] {
  const own = entries.find((entry) => entry.participantId === participantId);
  const hasLineup = (participantId ? (own ? [own] : []) : entries).some(({ athleteIds }) => athleteIds.length > 0);
  return [
    !!participantId &&
      !own && {
        pointer: `${pointer}/participantId`,
        code: 'unknown_participant',
        detail: 'The match has no participant with this ID.',
      },
    athleteViolation(`${pointer}/athleteId`, athleteId, known, entries, hasLineup),
    athleteViolation(`${pointer}/assistId`, assistId, known, entries, hasLineup),
    !!athleteId &&
      athleteId === assistId && {
        pointer: `${pointer}/assistId`,
        code: 'duplicate',
        detail: '`assistId` must not be the same as `athleteId`.',
      },
    typeof addedMinute === 'number' &&
      typeof minute !== 'number' && {
        pointer: `${pointer}/minute`,
        code: 'required',
        detail: '`addedMinute` requires `minute`, the last minute of regular time.',
      },
  ];
}
