/** An international cup of the demo data: two groups of national teams, then semi-finals and finals whose sides depend on earlier winners. */
import type { DemoContest, DemoUncountedEdition, DemoEntry, DemoMatch, DemoParticipant } from '../../schema/demo-edition.ts';
import { rankingRulesOf } from '../../schema/sports.ts';
import { rankTable } from '../../subgraphs/competitions/standings/rank-table.ts';
import type { TableMatch, TableSide } from '../../subgraphs/competitions/standings/table-input.ts';
import type { Club } from './roster.ts';
import { roundRobin } from './fixtures.ts';
import { kickoff, scheduleOf, type EditionFrame, type Kickoff, type Place } from './frame.ts';
import { addDays } from './moments.ts';
import type { TeamSport } from './scores.ts';
import { generateTeamMatch, type Side, type TeamMatch } from './team-match.ts';

const groups = ['A', 'B'] as const;
const lastsMinutes = 180;

/** Days from the opening: the three group matchdays, the semi-finals, the match for third place and the final. */
const days = { group: [0, 4, 8], semiFinals: [11, 14], third: 17, final: 18 } as const;

/** The reference day within the knock-out rounds: one semi-final is finished. */
export const cupDaysBefore = 13;
export const cupDays = days.final;

/** The first two of a group's table. */
function firstTwo(sport: TeamSport, matches: readonly DemoMatch[], sides: readonly Side[]): string[] {
  const rules = rankingRulesOf(sport);
  if (rules.method !== 'TABLE') return [];
  const sideOf = ({ participantId, part }: DemoEntry): TableSide => ({
    participantId: participantId ?? '',
    venue: null,
    outcome: part?.outcome ?? 'DRAW',
    score: part?.score ?? null,
    periodScores: part?.periodScores ?? [],
    tries: part?.tries ?? null,
    forfeit: false,
    points: null,
    bonusPoints: null,
  });
  const played = matches.flatMap(({ id, startTime, matchday = null, entries, result }): TableMatch[] => {
    const [one, other] = entries;
    if (!result || !one || !other || startTime === null) return [];
    const duration = result.duration ?? 'REGULAR';
    return [
      { id, playedAtMs: Date.parse(startTime), matchday, duration, provisional: false, sides: [sideOf(one), sideOf(other)] },
    ];
  });
  const participants = sides.map(({ participantId }) => participantId);
  const table = rankTable({ rules, participants, matches: played, scoredInSets: sport === 'VOLLEYBALL' });
  return table.map(({ participantId }) => participantId).slice(0, 2);
}

/** The winner or loser of a match; null while undecided. */
function sentBy(match: DemoMatch, outcome: 'WINNER' | 'LOSER'): string | null {
  const won = outcome === 'WINNER' ? 'WIN' : 'LOSS';
  return match.entries.find(({ part }) => part?.outcome === won)?.participantId ?? null;
}

/** The cup, its two stages, and how its days map to kickoffs at the host's venue. */
interface CupFrame {
  readonly random: EditionFrame['random'];
  readonly sport: TeamSport;
  readonly contestId: string;
  readonly groupStageId: string;
  readonly knockoutId: string;
  readonly host: Place;
  readonly at: (day: number, time: string) => Kickoff;
  readonly sideOf: (participantId: string | null) => Side | undefined;
}

interface Pot {
  readonly group: (typeof groups)[number];
  readonly sides: readonly Side[];
}

/** The matches of a group, each team against each. The host plays at home. */
function generateGroup({ random, sport, contestId, groupStageId, host, at }: CupFrame, { group, sides }: Pot): DemoMatch[] {
  const placed = (side: Side): Pick<TeamMatch, 'neutral'> => (side.club.country === host.country ? {} : { neutral: host });
  return roundRobin(sides, 1).map(({ matchday, home, away }, index) => {
    const turned = away.club.country === host.country;
    const both = turned ? ([away, home] as const) : ([home, away] as const);
    const when = at(days.group[matchday - 1] ?? 0, index % 2 === 0 ? '17:00' : '20:30');
    const of = { id: random.uuid(), sport, contestId, stageId: groupStageId, group, matchday };
    return generateTeamMatch(random, { ...of, sides: both, at: when, ...placed(both[0]) });
  });
}

/** A knock-out match; without a score while one of its sides is undecided. */
function generateTie(
  { random, sport, contestId, knockoutId, host, at, sideOf }: CupFrame,
  round: string,
  day: number,
  from: readonly [DemoEntry, DemoEntry],
): DemoMatch {
  const of = { id: random.uuid(), contestId, stageId: knockoutId, round };
  const [one, other] = from.map(({ participantId }) => sideOf(participantId));
  const when = at(day, '20:00');
  if (!one || !other) return { ...of, ...scheduleOf(when), entries: from };
  const settings = { sport, at: when, neutral: host, knockout: true } as const;
  const match = generateTeamMatch(random, { ...of, ...settings, sides: [one, other] });
  const source = ({ placeholder }: DemoEntry) => (placeholder ? { placeholder } : {});
  return { ...match, entries: match.entries.map((entry, index) => ({ ...entry, ...source(from[index] ?? entry) })) };
}

/** Semi-finals, the match for third place and the final. `through` has the first two of each group. */
function generateKnockout(cup: CupFrame, through: readonly (readonly string[])[]): DemoMatch[] {
  const qualified = (group: 0 | 1, place: 0 | 1): DemoEntry => ({
    id: cup.random.uuid(),
    participantId: through[group]?.[place] ?? null,
    placeholder: { text: `${place === 0 ? 'Winner' : 'Second'} of group ${groups[group]}` },
  });
  const semiFinals = [
    generateTie(cup, 'Semi-final', days.semiFinals[0], [qualified(0, 0), qualified(1, 1)]),
    generateTie(cup, 'Semi-final', days.semiFinals[1], [qualified(1, 0), qualified(0, 1)]),
  ] as const;
  const waiting = (index: 0 | 1, outcome: 'WINNER' | 'LOSER'): DemoEntry => ({
    id: cup.random.uuid(),
    participantId: sentBy(semiFinals[index], outcome),
    placeholder: {
      text: `${outcome === 'WINNER' ? 'Winner' : 'Loser'} of semi-final ${index + 1}`,
      sourceMatchId: semiFinals[index].id,
      outcome,
    },
  });
  const third = generateTie(cup, 'Third place', days.third, [waiting(0, 'LOSER'), waiting(1, 'LOSER')]);
  const final = generateTie(cup, 'Final', days.final, [waiting(0, 'WINNER'), waiting(1, 'WINNER')]);
  return [...semiFinals, third, final];
}

function contestOf({ contestId, groupStageId, knockoutId }: CupFrame, name: string): DemoContest {
  return {
    id: contestId,
    name,
    implied: true,
    stages: [
      {
        id: groupStageId,
        name: 'Group stage',
        type: 'GROUP',
        groups,
        advancement: [{ by: 'PLACE', count: 2, toStageId: knockoutId }],
      },
      { id: knockoutId, name: 'Finals', type: 'KNOCKOUT' },
    ],
  };
}

const participantsOf = ({ group, sides }: Pot): DemoParticipant[] =>
  sides.map(({ participantId, club }) => ({
    id: participantId,
    type: 'TEAM',
    teamId: club.teamId,
    name: club.name,
    representsCountry: club.country,
    group,
  }));

export function generateCup(
  { random, today, competition, season }: EditionFrame,
  { sport, nations }: { readonly sport: TeamSport; readonly nations: readonly Club[] },
): DemoUncountedEdition {
  const [contestId, groupStageId, knockoutId] = [random.uuid(), random.uuid(), random.uuid()];
  const shuffled = random.sample(nations, nations.length).map((club): Side => ({ participantId: random.uuid(), club }));
  const byId = new Map(shuffled.map((side) => [side.participantId, side]));
  const half = Math.ceil(shuffled.length / 2);
  const pots = groups.map((group, index): Pot => ({ group, sides: shuffled.slice(index * half, (index + 1) * half) }));
  const host: Place = nations[0] ?? { city: 'Berlin', country: 'DE' };
  const cup: CupFrame = {
    random,
    sport,
    contestId,
    groupStageId,
    knockoutId,
    host,
    at: (day, time) => kickoff(today, addDays(season.startDate, day), time, host, lastsMinutes),
    sideOf: (participantId) => byId.get(participantId ?? ''),
  };
  const groupMatches = pots.map((pot) => generateGroup(cup, pot));
  const through = pots.map(({ sides }, index) => firstTwo(sport, groupMatches[index] ?? [], sides));
  return {
    competition,
    season,
    contests: [contestOf(cup, season.name)],
    participants: pots.flatMap(participantsOf),
    matches: [...groupMatches.flat(), ...generateKnockout(cup, through)],
    adjustments: [],
  };
}
