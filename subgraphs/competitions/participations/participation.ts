/** What each athlete did in a match: the input of statistics. */
import type { MatchActionRow } from '../match-actions/rows.ts';
import type { MatchParticipantRow } from '../match-participants/rows.ts';
import { profiled } from '../match-participants/values.ts';
import type { ActionCount, MatchStatus, Participation, ParticipantType, ResultMethod } from '../generated/resolvers.ts';
import { recordMarkOf } from '../results/record-marks.ts';
import type { ParticipantPart } from '../results/rows.ts';
import { minutesOf, wasOnField, type MatchLength } from './minutes-played.ts';

/** An entry with the type of its participant. */
export type TypedEntry = MatchParticipantRow & { readonly type: ParticipantType | null };

/** The facts of a match that statistics need. */
export interface PlayedMatch extends MatchLength {
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

/** The score of the other side; null in a race, and without scores. */
function concededBy(entry: TypedEntry, entries: readonly TypedEntry[]): number | null {
  const [other, ...more] = entries.filter((each) => each !== entry && !each.bye);
  return more.length === 0 ? (other?.result?.score ?? null) : null;
}

/** The personal performance of a single athlete, with the mark that can be a record. The mark of a pair or relay belongs to none of its members. */
function performanceOf(part: ParticipantPart | null, isAlone: boolean) {
  if (!isAlone || !part) return { mark: null, unit: null, windMmPerS: null, reactionTimeMs: null };
  const { mark, windMmPerS, reactionTimeMs } = part;
  const best = recordMarkOf(part) ?? { value: mark?.value ?? null, unit: mark?.unit ?? null, windMmPerS };
  return { mark: best.value, unit: best.unit, windMmPerS: best.windMmPerS, reactionTimeMs };
}

/** The values that all athletes of an entry have in common. */
function entryValues(entry: TypedEntry, entries: readonly TypedEntry[], match: PlayedMatch) {
  const part = entry.result;
  const isAlone = entry.type === 'ATHLETE';
  return {
    teamId: entry.teamId,
    inTeam: !isAlone,
    outcome: part?.outcome ?? null,
    rank: part?.vacated ? null : (part?.rank ?? null),
    ...performanceOf(part, isAlone),
    points: part?.points ?? null,
    method: match.method,
    conceded: concededBy(entry, entries),
  };
}

function participationsOfEntry(
  entry: TypedEntry,
  entries: readonly TypedEntry[],
  actions: readonly MatchActionRow[],
  match: PlayedMatch,
): Participation[] {
  const { result: part, type } = entry;
  const lineup = profiled(entry.lineup);
  const forfeited = match.method === 'WALKOVER' || entries.some(({ result }) => result?.forfeit);
  const started = !notPlayed.includes(match.status) && !forfeited && part?.invalidResultMark !== 'DNS';
  const players = new Map(lineup.map((player) => [player.athleteId, player]));
  const shared = entryValues(entry, entries, match);
  return entry.athleteIds.map((athleteId) => {
    const player = players.get(athleteId);
    const played = started && (player ? wasOnField(player, actions) : lineup.length === 0 || type === 'ATHLETE');
    const minutes = player && started ? minutesOf(player, lineup, actions, match) : null;
    return {
      ...shared,
      athleteId,
      position: player?.position ?? null,
      played,
      minutes: played ? minutes : minutes === null ? null : 0,
      actions: actionsOf(athleteId, actions),
    };
  });
}

/** The participation of each athlete of a match: participants, members of pairs and relays, and line-ups. */
export function participationsOf(
  match: PlayedMatch,
  entries: readonly TypedEntry[],
  actions: readonly MatchActionRow[],
): Participation[] {
  return entries.flatMap((entry) => participationsOfEntry(entry, entries, actions, match));
}
