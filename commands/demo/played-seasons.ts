/** What each athlete did in a season of the demo data, counted from its matches as the platform counts them. */
import type {
  DemoEntry,
  DemoMatch,
  DemoParticipant,
  DemoPart,
  DemoPlayedSeason,
  DemoPlayer,
  DemoUncountedEdition,
} from '../../schema/demo-edition.ts';
import type { Participation } from '../../subgraphs/athletes/statistics/match-counting.ts';
import { recordedScorers, type ScoringSide } from '../../subgraphs/competitions/participations/recorded-scorers.ts';
import { computeMatchRows, computeTotals } from '../../subgraphs/athletes/statistics/match-statistics.ts';

type Action = NonNullable<DemoMatch['actions']>[number];

/** Minutes of regular and extra time where substituted players cannot return. */
const lengths: Readonly<Record<string, readonly [regular: number, extra: number]>> = { FOOTBALL: [90, 120], RUGBY: [80, 100] };

/** Actions of a player who may be on the bench. */
const offField: ReadonlySet<string> = new Set(['YELLOW_CARD', 'RED_CARD', 'SUSPENSION']);

function wasOnField({ athleteId, starter }: DemoPlayer, actions: readonly Action[]): boolean {
  const isOwn = (action: Action): boolean =>
    action.athleteId === athleteId || (action.type !== 'SUBSTITUTION' && action.assistId === athleteId);
  return starter || actions.some((action) => !offField.has(action.type) && isOwn(action));
}

function minutesOf({ athleteId, starter }: DemoPlayer, actions: readonly Action[], end: number | null): number | null {
  if (end === null) return null;
  const came = actions.find((action) => action.type === 'SUBSTITUTION' && action.athleteId === athleteId)?.minute;
  const left = actions.find(
    ({ type, athleteId: player, assistId }) =>
      (type === 'SUBSTITUTION' && assistId === athleteId) || (type === 'RED_CARD' && player === athleteId),
  )?.minute;
  return Math.max(starter ? 1 : 0, (left ?? end) - (starter ? 0 : (came ?? left ?? end)));
}

function actionsOf(athleteId: string, actions: readonly Action[]): Participation['actions'] {
  const done = actions.flatMap((action) => [
    ...(action.athleteId === athleteId ? [{ type: action.type, assist: false }] : []),
    ...(action.assistId === athleteId ? [{ type: action.type, assist: true }] : []),
  ]);
  return done.map((each) => ({ ...each, count: 1 }));
}

interface EntryFacts {
  readonly match: DemoMatch;
  readonly participant: DemoParticipant;
  readonly end: number | null;
}

/** The personal performance of a single athlete; a relay's mark belongs to none of its members. */
function performanceOf(part: DemoPart | null) {
  return {
    mark: part?.mark?.value ?? null,
    unit: part?.mark?.unit ?? null,
    windMmPerS: part?.windMmPerS ?? null,
    reactionTimeMs: part?.reactionTimeMs ?? null,
  };
}

/** The score of the only other entry. */
function concededBy(entry: DemoEntry, { entries }: DemoMatch): number | null {
  const [other, ...more] = entries.filter((each) => each !== entry);
  return more.length === 0 ? (other?.part?.score ?? null) : null;
}

const sideOf = ({ participantId, lineup = [], part }: DemoEntry): ScoringSide => ({
  participantId,
  athleteIds: lineup.map(({ athleteId }) => athleteId),
  score: part?.score ?? null,
});

const placeOf = ({ outcome, rank }: DemoPart) => ({ outcome: outcome ?? null, rank: rank ?? null });

function participationsOf(entry: DemoEntry, { match, participant, end }: EntryFacts): Participation[] {
  const { part, lineup = [] } = entry;
  if (!part || part.invalidResultMark === 'DNS') return [];
  const { actions = [], result } = match;
  const { type, teamId = null, athleteId: alone, memberIds = [] } = participant;
  const shared = {
    teamId,
    inTeam: type !== 'ATHLETE',
    ...placeOf(part),
    ...performanceOf(type === 'ATHLETE' ? part : null),
    conceded: concededBy(entry, match),
    method: result?.endedBy?.method ?? null,
  };
  const members = alone === undefined ? memberIds : [alone];
  return [
    ...members.map((athleteId) => ({ ...shared, athleteId, played: true, minutes: null, position: null, actions: [] })),
    ...lineup.map((player) => ({
      ...shared,
      athleteId: player.athleteId,
      played: wasOnField(player, actions),
      minutes: minutesOf(player, actions, end),
      position: player.position,
      actions: actionsOf(player.athleteId, actions),
    })),
  ];
}

/** The ranking points that athletes won, which are no statistics of a match. */
function rankingPoints({
  participants,
  matches,
}: Pick<DemoUncountedEdition, 'participants' | 'matches'>): ReadonlyMap<string, number> {
  const athletes = new Map(participants.map(({ id, athleteId }) => [id, athleteId]));
  const points = new Map<string, number>();
  for (const { entries } of matches) {
    for (const { participantId, part } of entries) {
      const athleteId = athletes.get(participantId ?? '');
      if (athleteId !== undefined && part?.points !== undefined)
        points.set(athleteId, (points.get(athleteId) ?? 0) + part.points);
    }
  }
  return points;
}

/** The season of each athlete, team and event with a match whose result counts. */
export function playedSeasons({
  competition,
  season,
  contests,
  participants,
  matches,
}: DemoUncountedEdition): DemoPlayedSeason[] {
  const byId = new Map(participants.map((each) => [each.id, each]));
  const events = new Map(contests.map(({ id, eventCode }) => [id, eventCode ?? null]));
  const rows = matches.flatMap((match) => {
    const { result } = match;
    if (result === undefined || result.status === 'PROVISIONAL') return [];
    const { sport } = competition;
    const [regular = null, extra = null] = lengths[sport] ?? [];
    const end = result.duration === 'REGULAR' ? regular : extra;
    return computeMatchRows({
      id: match.id,
      sport,
      seasonId: season.id,
      competitionId: competition.id,
      eventCode: events.get(match.contestId) ?? null,
      published: true,
      date: match.date,
      counts: true,
      ...recordedScorers(sport, match.entries.map(sideOf), match.actions ?? []),
      participations: match.entries.flatMap((entry) => {
        const participant = byId.get(entry.participantId ?? '');
        return participant ? participationsOf(entry, { match, participant, end }) : [];
      }),
    });
  });
  const points = competition.sport === 'TENNIS' ? rankingPoints({ participants, matches }) : null;
  return computeTotals(rows)
    .filter(({ scope }) => scope === 'SEASON')
    .map(({ athleteId, teamId, eventCode, matchesPlayed, minutesPlayed, metrics, asOf }) => ({
      athleteId,
      season,
      competition,
      teamId,
      eventCode,
      matchesPlayed,
      minutesPlayed,
      asOf: asOf ?? season.startDate,
      counted: {
        ...Object.fromEntries(metrics.map(({ key, value }) => [key, value])),
        ...(points && { rankingPoints: points.get(athleteId) ?? 0 }),
      },
    }));
}
