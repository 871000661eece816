/** Minutes played, from line-ups and substitutions; null where they are not known. */
import type { AgeGroup, MatchActionType, MatchDuration, Sport } from '../generated/resolvers.ts';
import type { MatchActionRow } from '../match-actions/rows.ts';
import type { LineupValue } from '../match-participants/values.ts';

/** The length of a match in minutes: in regular time, and after extra time. */
interface Length {
  readonly regular: number;
  readonly extra: number;
}

/**
 * Sports with minutes played: those where a substituted player cannot return (IFAB Laws of the Game 3 and 7, World Rugby Law 5, RLIF
 * section 6). Other sports do not record substitutions. Keys are `SPORT` and `SPORT DISCIPLINE`.
 */
const lengths: Readonly<Record<string, Length>> = {
  FOOTBALL: { regular: 90, extra: 120 },
  'FOOTBALL ASSOCIATION': { regular: 90, extra: 120 },
  RUGBY: { regular: 80, extra: 100 },
  'RUGBY UNION_15S': { regular: 80, extra: 100 },
  'RUGBY LEAGUE': { regular: 80, extra: 90 },
};

/** Younger age groups play shorter matches, with rules that differ by federation. */
const fullLength: readonly AgeGroup[] = ['SENIOR', 'U23', 'U21', 'U20', 'U19'];

/** The facts that determine the length of a match. */
export interface MatchLength {
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly ageGroup: AgeGroup | null;
  /** Null while the match has no result that counts. */
  readonly duration: MatchDuration | null;
  /** Number of periods with a score; 0 where it is not known. */
  readonly periods: number;
}

/** The last minute of a match without stoppage time; null where it is not known. */
function lastMinuteOf({ sport, discipline, ageGroup, duration, periods }: MatchLength): number | null {
  const length = lengths[discipline === null ? sport : `${sport} ${discipline}`];
  if (!length || duration === null || (ageGroup !== null && !fullLength.includes(ageGroup))) return null;
  if (duration === 'REGULAR') return length.regular;
  if (duration === 'EXTRA_TIME') return length.extra;
  // A shoot-out may follow regular time directly. The number of periods tells whether there was extra time.
  if (periods === 0) return null;
  return periods > 2 ? length.extra : length.regular;
}

const sentOff: readonly MatchActionType[] = ['RED_CARD', 'SECOND_YELLOW_CARD'];

/** Actions that a player off the field may also have: cards are shown on the bench, too. */
const notPlaying: readonly MatchActionType[] = ['YELLOW_CARD', ...sentOff, 'SUSPENSION', 'FOUL', 'OTHER', 'SUBSTITUTION'];

/** Whether a player of a line-up was on the field: as a starter, as a substitute, or by an action on the field. */
export function wasOnField({ athleteId, starter }: LineupValue, actions: readonly MatchActionRow[]): boolean {
  return (
    starter ||
    actions.some(
      (action) =>
        (action.type === 'SUBSTITUTION' && action.athleteId === athleteId) ||
        (!notPlaying.includes(action.type) && [action.athleteId, action.assistId].includes(athleteId)),
    )
  );
}

/**
 * Minutes played by a player of a line-up; null where they are not known. A team with substitutes and without substitutions may not have
 * recorded them.
 * @param actions all actions of the match
 */
export function minutesOf(
  { athleteId, starter }: LineupValue,
  lineup: readonly LineupValue[],
  actions: readonly MatchActionRow[],
  match: MatchLength,
): number | null {
  const end = lastMinuteOf(match);
  if (end === null) return null;
  const own = new Set(lineup.map((player) => player.athleteId));
  const changes = actions.filter(({ type, athleteId: came, assistId: went }) => {
    return type === 'SUBSTITUTION' && ((came !== null && own.has(came)) || (went !== null && own.has(went)));
  });
  if (changes.length === 0 && lineup.some((player) => !player.starter)) return null;
  const came = starter ? [] : changes.filter((change) => change.athleteId === athleteId);
  const went = [
    ...changes.filter((change) => change.assistId === athleteId),
    ...actions.filter(({ type, athleteId: player }) => sentOff.includes(type) && player === athleteId),
  ];
  if ([...came, ...went].some(({ minute }) => minute === null)) return null;
  if (!starter && came.length === 0) return 0;
  const from = Math.min(end, ...came.map(({ minute }) => minute ?? 0));
  const to = Math.min(end, ...went.map(({ minute }) => minute ?? end));
  const entered = starter ? 0 : from;
  // A player who enters in stoppage time counts one minute.
  return Math.max(1, to - entered);
}
