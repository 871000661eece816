/** Validation of match actions. */
import { assistIsOfSide, goalCountsFor, leastScore, needsSubject, playerIsOfSide } from '../../../schema/action-types.ts';
import type { Violation } from '../../../schema/errors.ts';
import { lastMinute, periodOf, periodsBySport } from '../../../schema/periods.ts';
import type { Sport } from '../../../schema/sports.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { registryViolation } from '../../runtime/input-violations.ts';

/** The validated members of an action. */
interface ActionMembers {
  readonly type?: string | null | undefined;
  readonly period?: number | null | undefined;
  readonly minute?: number | null | undefined;
  readonly addedMinute?: number | null | undefined;
  readonly participantId?: string | null | undefined;
  readonly athleteId?: string | null | undefined;
  readonly assistId?: string | null | undefined;
  readonly athleteName?: string | null | undefined;
  readonly assistName?: string | null | undefined;
  readonly scoreAfter?: readonly number[] | null | undefined;
}

/** The sport of the match, and its own number of regular periods. */
interface Match {
  readonly sport: Sport;
  readonly format: { readonly periods?: number | null | undefined } | null;
}

/** An entry of the match, as far as actions refer to it. */
interface MatchEntry {
  readonly participantId: string | null;
  readonly athleteIds: readonly string[];
  readonly lineup: readonly { readonly name?: string | null }[];
}

type Violations = (Violation | null | false)[];

/** The action with the period of its minute, if it has no other: actions are listed by period. */
export function withPeriod<Action extends ActionMembers>(action: Action, { sport, format }: Match): Action {
  if (typeof action.minute !== 'number' || typeof action.period === 'number') return action;
  const period = periodOf(sport, action.minute, format?.periods);
  return period === null ? action : { ...action, period };
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

/** The violation for a player on the sheet of another side, where the side of the action has a sheet, too. */
function sheetViolation(
  pointer: string,
  { type, participantId }: ActionMembers,
  entries: readonly MatchEntry[],
  isOn: (entry: MatchEntry) => boolean,
): Violation | null {
  const own = entries.find((entry) => entry.participantId === participantId);
  if (!participantId || !own || own.lineup.length === 0 || isOn(own) || !entries.some(isOn)) return null;
  const isOwnGoal = type === 'OWN_GOAL';
  const hint = isOwnGoal
    ? 'The `participantId` of an own goal is the side of the player who scored it. The goal counts for the opponent.'
    : 'Set `participantId` to the side of the player. For a goal into the own net, set the type OWN_GOAL.';
  return { pointer, code: 'other_side', detail: `The player is on the team sheet of another side. ${hint}` };
}

/** Violations of players on the sheet of another side than that of their action. */
function sideViolations(action: ActionMembers, entries: readonly MatchEntry[], pointer: string): Violations {
  const { type, athleteId, assistId, athleteName, assistName } = action;
  if (!type) return [];
  const lists = (id: string) => (entry: MatchEntry) => entry.athleteIds.includes(id);
  const names = (name: string) => (entry: MatchEntry) => entry.lineup.some((player) => player.name === name);
  const [player, assist] = [playerIsOfSide(type), assistIsOfSide(type)];
  return [
    player && !!athleteId && sheetViolation(`${pointer}/athleteId`, action, entries, lists(athleteId)),
    player && !!athleteName && sheetViolation(`${pointer}/athleteName`, action, entries, names(athleteName)),
    assist && !!assistId && sheetViolation(`${pointer}/assistId`, action, entries, lists(assistId)),
    assist && !!assistName && sheetViolation(`${pointer}/assistName`, action, entries, names(assistName)),
  ];
}

/** Violations of the name of a player without a profile, whom a line-up must name: there the rules for minors apply. */
function nameViolations(
  pointer: string,
  member: 'athlete' | 'assist',
  { [`${member}Name` as const]: name, [`${member}Id` as const]: id }: ActionMembers,
  entries: readonly MatchEntry[],
): Violations {
  if (!name) return [];
  const isListed = entries.some(({ lineup }) => lineup.some((player) => player.name === name));
  return [
    !!id && {
      pointer: `${pointer}/${member}Name`,
      code: 'one_of',
      detail: `Set either \`${member}Id\`, or \`${member}Name\` for a player without a profile.`,
    },
    !isListed && {
      pointer: `${pointer}/${member}Name`,
      code: 'not_in_match',
      detail: 'No line-up of the match has a player with this name. Add the player to a line-up by `name` first.',
    },
  ];
}

function timeViolations({ period, minute, addedMinute }: ActionMembers, { sport, format }: Match, pointer: string): Violations {
  const periodMax = periodsBySport[sport]?.max;
  const minuteMax = lastMinute(sport, period ?? null, format?.periods);
  const ofWhat = typeof period === 'number' ? `Period ${period}` : `A match of ${sport}`;
  return [
    periodMax !== undefined &&
      typeof period === 'number' &&
      period > periodMax && {
        pointer: `${pointer}/period`,
        code: 'maximum',
        detail: `A match of ${sport} has at most ${periodMax} periods.`,
      },
    minuteMax !== null &&
      typeof minute === 'number' &&
      minute > minuteMax && {
        pointer: `${pointer}/minute`,
        code: 'maximum',
        detail: `${ofWhat} ends with minute ${minuteMax}. Write stoppage time as \`minute\` ${minuteMax} with \`addedMinute\`.`,
      },
    typeof addedMinute === 'number' &&
      typeof minute !== 'number' && {
        pointer: `${pointer}/minute`,
        code: 'required',
        detail: '`addedMinute` requires `minute`, the last minute of regular time.',
      },
  ];
}

function subjectViolations(action: ActionMembers, pointer: string): Violations {
  const { type, participantId, athleteId, assistId, athleteName, assistName } = action;
  if (!type || !needsSubject(type)) return [];
  const hasPlayer = !!(athleteId ?? assistId ?? athleteName ?? assistName);
  if (type === 'SUBSTITUTION')
    return [
      !hasPlayer && {
        pointer: `${pointer}/athleteId`,
        code: 'required',
        detail: 'A substitution needs the player who enters (`athleteId`) or leaves (`assistId`).',
      },
    ];
  return [
    !participantId &&
      !hasPlayer && {
        pointer: `${pointer}/participantId`,
        code: 'required',
        detail: `An action of the type ${type} needs its side (\`participantId\`) or its player (\`athleteId\`).`,
      },
  ];
}

/** The score after an action of a side has at least the points of the action. */
function scoreViolations(
  { type, participantId, scoreAfter }: ActionMembers,
  { sport }: Match,
  entries: readonly MatchEntry[],
  pointer: string,
): Violations {
  const isForOpponent = !!type && goalCountsFor(type) === 'OPPONENT';
  const least = isForOpponent ? 1 : type ? leastScore(sport, type) : null;
  const own = entries.findIndex((entry) => entry.participantId === participantId);
  const score = scoreAfter?.[isForOpponent ? 1 - own : own];
  if (least === null || !participantId || own < 0 || score === undefined || score >= least) return [];
  const detail = `After this action ${isForOpponent ? 'the opponent of its side' : 'its side'} has at least ${least}. \`scoreAfter\` has the order of the entries of the match.`;
  return [{ pointer: `${pointer}/scoreAfter`, code: 'score', detail }];
}

/** Validates an action at `pointer` in a match with these entries. `known` are the athletes that the caller can refer to. */
export function actionViolations(
  action: ActionMembers,
  match: Match,
  entries: readonly MatchEntry[],
  known: ReadonlySet<string>,
  pointer = '',
): Violations {
  const { participantId, athleteId, assistId } = action;
  const own = entries.find((entry) => entry.participantId === participantId);
  const hasLineup = (participantId ? (own ? [own] : []) : entries).some(({ athleteIds }) => athleteIds.length > 0);
  return [
    registryViolation(`${pointer}/type`, match.sport, 'action type', action.type),
    ...timeViolations(action, match, pointer),
    ...subjectViolations(action, pointer),
    ...scoreViolations(action, match, entries, pointer),
    !!participantId &&
      !own && {
        pointer: `${pointer}/participantId`,
        code: 'unknown_participant',
        detail: 'The match has no participant with this ID.',
      },
    athleteViolation(`${pointer}/athleteId`, athleteId, known, entries, hasLineup),
    athleteViolation(`${pointer}/assistId`, assistId, known, entries, hasLineup),
    ...nameViolations(pointer, 'athlete', action, entries),
    ...nameViolations(pointer, 'assist', action, entries),
    ...sideViolations(action, entries, pointer),
    !!athleteId &&
      athleteId === assistId && {
        pointer: `${pointer}/assistId`,
        code: 'duplicate',
        detail: '`assistId` must not be the same as `athleteId`.',
      },
  ];
}
