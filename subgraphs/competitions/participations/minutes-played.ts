/** Minutes on the field, from team sheets and substitutions: told only where they are known. */
import type { AgeGroup, MatchActionType, MatchDuration, Sport } from '../resolvers.generated.ts';
import type { LineupValue, MatchActionRow } from '../matches/rows.ts';

/** How long a match is, in minutes: in regular time, and after extra time. */
interface Length {
  readonly regular: number;
  readonly extra: number;
}

/**
 * Sports that keep the minutes of players: those where who goes out stays out (IFAB Laws of the Game 3 and 7, World Rugby Law 5, RLIF
 * section 6). Where players come and go as they like nobody writes it down. Keys are `SPORT` and `SPORT DISCIPLINE`.
 */
const lengths: Readonly<Record<string, Length>> = {
  FOOTBALL: { regular: 90, extra: 120 },
  'FOOTBALL ASSOCIATION': { regular: 90, extra: 120 },
  RUGBY: { regular: 80, extra: 100 },
  'RUGBY UNION_15S': { regular: 80, extra: 100 },
  'RUGBY LEAGUE': { regular: 80, extra: 90 },
};

/** The young play for less long, each federation after its own rules. */
const fullLength: readonly AgeGroup[] = ['SENIOR', 'U23', 'U21', 'U20', 'U19'];

/** What says how long a match was. */
export interface Played {
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly ageGroup: AgeGroup | null;
  /** Null while the match has no result that counts. */
  readonly duration: MatchDuration | null;
  /** Periods that have a score; 0 where that was not told. */
  readonly periods: number;
}

/** The minute a match ended in, stoppage time apart; null where nobody can know. */
function endOf({ sport, discipline, ageGroup, duration, periods }: Played): number | null {
  const length = lengths[discipline === null ? sport : `${sport} ${discipline}`];
  if (!length || duration === null || (ageGroup !== null && !fullLength.includes(ageGroup))) return null;
  if (duration === 'REGULAR') return length.regular;
  if (duration === 'EXTRA_TIME') return length.extra;
  // A shoot-out may follow regular time at once: the scores of the periods tell.
  if (periods === 0) return null;
  return periods > 2 ? length.extra : length.regular;
}

const sentOff: readonly MatchActionType[] = ['RED_CARD', 'SECOND_YELLOW_CARD'];

/** What somebody does on the field only; cards are shown on the bench, too. */
const notPlaying: readonly MatchActionType[] = ['YELLOW_CARD', ...sentOff, 'SUSPENSION', 'FOUL', 'OTHER', 'SUBSTITUTION'];

/** Whether somebody of a team sheet was on the field: from the start, as a substitute, or seen doing something there. */
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
 * Minutes of somebody of a team sheet; null where nobody can know: without substitutions of a team with substitutes, for one, they
 * may not have been written down.
 * @param actions of the match
 */
export function minutesOf(
  { athleteId, starter }: LineupValue,
  lineup: readonly LineupValue[],
  actions: readonly MatchActionRow[],
  played: Played,
): number | null {
  const end = endOf(played);
  if (end === null) return null;
  const own = new Set(lineup.map((player) => player.athleteId));
  const changes = actions.filter(({ type, athleteId: came, assistId: went }) => {
    return type === 'SUBSTITUTION' && ((came !== null && own.has(came)) || (went !== null && own.has(went)));
  });
  if (changes.length === 0 && lineup.some((player) => !player.starter)) return null;
  const came = starter ? [] : changes.filter((change) => change.athleteId === athleteId);
  const went = [
    ...changes.filter((change) => change.assistId === athleteId),
    ...actions.filter(({ type, athleteId: shown }) => sentOff.includes(type) && shown === athleteId),
  ];
  if ([...came, ...went].some(({ minute }) => minute === null)) return null;
  if (!starter && came.length === 0) return 0;
  const from = Math.min(end, ...came.map(({ minute }) => minute ?? 0));
  const to = Math.min(end, ...went.map(({ minute }) => minute ?? end));
  const began = starter ? 0 : from;
  // Somebody who comes in for stoppage time is counted with a minute.
  return Math.max(1, to - began);
}
