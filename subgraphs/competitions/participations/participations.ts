/** What athletes did in a match, one by one: what statistics are counted from. */
import { minutesOf, wasOnField, type Played } from './minutes-played.ts';
import type { ActionCount, MatchStatus, Participation, ParticipantType, ResultMethod } from '../resolvers.generated.ts';
import type { MatchActionRow, MatchParticipantRow } from '../matches/rows.ts';

/** An entry with the kind of its participant. */
export type Entered = MatchParticipantRow & { readonly type: ParticipantType | null };

/** A match as its statistics need it. */
export interface MatchAsPlayed extends Played {
  readonly status: MatchStatus;
  readonly method: ResultMethod | null;
}

const notPlayed: readonly MatchStatus[] = ['SCHEDULED', 'TIMED', 'POSTPONED', 'CANCELLED'];

function actionsOf(athleteId: string, actions: readonly MatchActionRow[]): ActionCount[] {
  const done = actions.flatMap((action) => [
    ...(action.athleteId === athleteId ? [{ type: action.type, assist: false }] : []),
    ...(action.assistId === athleteId ? [{ type: action.type, assist: true }] : []),
  ]);
  const kinds = Map.groupBy(done, ({ type, assist }) => `${type} ${String(assist)}`);
  return [...kinds.values()].flatMap((same) => (same[0] ? [{ ...same[0], count: same.length }] : []));
}

/** What the other side scored; null in a race, and where nobody scores. */
function concededBy(entry: Entered, entries: readonly Entered[]): number | null {
  const [other, ...more] = entries.filter((each) => each !== entry && !each.bye);
  return more.length === 0 ? (other?.result?.score ?? null) : null;
}

function participationsOfEntry(
  entry: Entered,
  entries: readonly Entered[],
  actions: readonly MatchActionRow[],
  match: MatchAsPlayed,
): Participation[] {
  const { result: part, lineup, type } = entry;
  const forfeited = match.method === 'WALKOVER' || entries.some(({ result }) => result?.forfeit);
  const started = !notPlayed.includes(match.status) && !forfeited && part?.invalidResultMark !== 'DNS';
  const players = new Map(lineup.map((player) => [player.athleteId, player]));
  // A mark is of the one who set it: that of a relay is nobody's own.
  const alone = type === 'ATHLETE';
  return entry.athleteIds.map((athleteId) => {
    const player = players.get(athleteId);
    const played = started && (player ? wasOnField(player, actions) : lineup.length === 0 || alone);
    const minutes = player && started ? minutesOf(player, lineup, actions, match) : null;
    return {
      athleteId,
      teamId: entry.teamId,
      inTeam: !alone,
      position: player?.position ?? null,
      played,
      minutes: played ? minutes : minutes === null ? null : 0,
      outcome: part?.outcome ?? null,
      rank: part?.vacated ? null : (part?.rank ?? null),
      mark: alone ? (part?.mark?.value ?? null) : null,
      unit: alone ? (part?.mark?.unit ?? null) : null,
      windMmPerS: alone ? (part?.windMmPerS ?? null) : null,
      reactionTimeMs: alone ? (part?.reactionTimeMs ?? null) : null,
      points: part?.points ?? null,
      method: match.method,
      conceded: concededBy(entry, entries),
      actions: actionsOf(athleteId, actions),
    };
  });
}

/** What each athlete of a match's entries, members and team sheets did in it. */
export function participationsOf(
  match: MatchAsPlayed,
  entries: readonly Entered[],
  actions: readonly MatchActionRow[],
): Participation[] {
  return entries.flatMap((entry) => participationsOfEntry(entry, entries, actions, match));
}
