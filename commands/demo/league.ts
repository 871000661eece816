/** A league of the demo data: a round robin over weekends, played up to the reference day. */
import type { DemoAction, DemoUncountedEdition, DemoMatch, DemoPart } from '../../schema/demo-edition.ts';
import type { RankingRules } from '../../schema/ranking-rules.ts';
import { rankingRulesOf } from '../../schema/sports.ts';
import { isShown } from '../../subgraphs/runtime/area-seed.ts';
import type { Club } from './roster.ts';
import { roundRobin } from './fixtures.ts';
import { kickoff, type EditionFrame } from './frame.ts';
import { addDays, addMinutes } from './moments.ts';
import type { TeamSport } from './scores.ts';
import { generateTeamMatch, type Side } from './team-match.ts';

export interface LeagueShape {
  readonly sport: TeamSport;
  readonly clubs: readonly Club[];
  readonly rounds: 1 | 2;
  /** With irregularities such as postponements. */
  readonly full: boolean;
}

/** Days after Saturday and local time of the matches of a matchday. */
const slots = [
  [0, '15:00'],
  [0, '17:30'],
  [0, '20:00'],
  [1, '14:00'],
  [1, '16:30'],
] as const;

const lastsMinutes = 130;

function leagueRules(sport: TeamSport, clubs: number, tier: number | null): RankingRules {
  const rules = rankingRulesOf(sport);
  if (rules.method !== 'TABLE') return rules;
  if (tier !== 1) return { ...rules, zones: [{ code: 'PROMOTION', from: 1, to: 2 }] };
  const zones = [
    { code: 'CHAMPION', from: 1, to: 1 },
    { code: 'PLAY_OFF', from: 2, to: 4 },
    { code: 'RELEGATION', from: clubs - 1, to: clubs },
  ];
  return { ...rules, zones };
}

/** The score before its correction: one more for the first side in the last period. */
function misread([home, away]: readonly [DemoPart, DemoPart], more: number): [DemoPart, DemoPart] {
  const periodScores = [...(home.periodScores ?? [])];
  periodScores[periodScores.length - 1] = (periodScores.at(-1) ?? 0) + more;
  const [score, against] = [(home.score ?? 0) + more, away.score ?? 0];
  const outcome = score > against ? ('WIN' as const) : score < against ? ('LOSS' as const) : ('DRAW' as const);
  const other = outcome === 'WIN' ? ('LOSS' as const) : outcome === 'LOSS' ? ('WIN' as const) : outcome;
  return [
    { ...home, score, periodScores, outcome },
    { ...away, outcome: other },
  ];
}

/** The unit of a plausible scoring mistake; none where a score counts sets. */
const misreadBy: Readonly<Record<TeamSport, number>> = { FOOTBALL: 1, BASKETBALL: 2, VOLLEYBALL: 0, RUGBY: 3, HANDBALL: 1 };

function corrected(match: DemoMatch, sport: TeamSport): DemoMatch {
  const [home, away] = match.entries.map(({ part }) => part);
  if (!match.result || !home || !away || misreadBy[sport] === 0) return match;
  const before = misread([home, away], misreadBy[sport]);
  return { ...match, result: { ...match.result, status: 'CORRECTED', reason: 'The score sheet was misread.', before } };
}

function postponed({ entries, ...match }: DemoMatch): DemoMatch {
  const { actions: _, result: __, officials: ___, attendance: ____, ...known } = match;
  return {
    ...known,
    status: 'POSTPONED',
    statusReason: 'The ground was not fit for play.',
    startTime: null,
    entries: entries.map(({ part: _____, lineup: ______, ...entry }) => entry),
  };
}

const scoringTypes = new Set(['GOAL', 'PENALTY_GOAL', 'TRY', 'THREE_POINTS']);

/** The best athlete of a match; only public athletes are eligible. */
function withReplay(match: DemoMatch, frame: EditionFrame, sides: readonly [Side, Side]): DemoMatch {
  const shown = new Set(sides.flatMap(({ club }) => club.players.filter(isShown).map(({ id }) => id)));
  const named = (match.actions ?? []).filter(
    ({ type, athleteId }) => scoringTypes.has(type) && athleteId !== null && shown.has(athleteId),
  );
  const [home, away] = match.entries.map(({ part }) => part?.score ?? 0);
  const tagOf = ({ athleteId, type }: DemoAction, index: number) => ({
    athleteId: athleteId ?? '',
    action: type,
    atMs: (20 + index * 25) * 1000,
  });
  return {
    ...match,
    replay: {
      id: frame.random.uuid(),
      title: `${sides[0].club.name} ${home ?? 0}–${away ?? 0} ${sides[1].club.name}`,
      kind: 'HIGHLIGHTS',
      durationSeconds: 240 + Math.min(named.length, 8) * 25,
      tags: named.slice(0, 8).map(tagOf),
    },
  };
}

interface LeagueStage {
  readonly contestId: string;
  readonly stageId: string;
  readonly sides: readonly Side[];
}

/** All matches of the season with their kickoffs, in the order of the matchdays. */
function generateFixtures({ random, today, season }: EditionFrame, sides: readonly Side[], rounds: 1 | 2) {
  const perDay = Math.floor(sides.length / 2);
  return roundRobin(random.sample(sides, sides.length), rounds).map((fixture, index) => {
    const [later, time] = slots[(index % perDay) % slots.length] ?? slots[0];
    const day = addDays(season.startDate, 7 * (fixture.matchday - 1) + later);
    return { ...fixture, at: kickoff(today, day, time, fixture.home.club, lastsMinutes), opens: index % perDay === 0 };
  });
}

/** The side with the players who had joined the club by a day. */
function present({ participantId, club }: Side, day: string): Side {
  const players = club.players.filter(({ membership }) => membership !== null && membership.startDate <= day);
  return { participantId, club: { ...club, players } };
}

/** Plays the season up to the reference day, and returns the last matchday with a result. */
function generateMatches(frame: EditionFrame, { sport, rounds, full }: LeagueShape, { contestId, stageId, sides }: LeagueStage) {
  const { random } = frame;
  const fixtures = generateFixtures(frame, sides, rounds);
  const played = Math.max(0, ...fixtures.flatMap(({ matchday, at }) => (at.recordedAt === null ? [] : [matchday])));
  const matches = fixtures.map(({ matchday, home, away, at, opens }) => {
    const both = [present(home, at.date), present(away, at.date)] as const;
    const of = { id: random.uuid(), sport, contestId, stageId, matchday };
    const match = generateTeamMatch(random, { ...of, sides: both, at });
    if (!full || match.status !== 'FINISHED') return match;
    if (opens && (matchday === played - 4 || matchday === played - 1)) return postponed(match);
    if (opens && matchday === played - 3) return corrected(match, sport);
    return matchday === played ? withReplay(match, frame, both) : match;
  });
  return { matches, played };
}

export function generateLeague(frame: EditionFrame, shape: LeagueShape): DemoUncountedEdition {
  const { random, competition, season } = frame;
  const { sport, clubs, rounds, full } = shape;
  const [contestId, stageId] = [random.uuid(), random.uuid()];
  const sides = clubs.map((club): Side => ({ participantId: random.uuid(), club }));
  const days = rounds * (clubs.length - 1);
  const { matches, played } = generateMatches(frame, shape, { contestId, stageId, sides });
  const last = matches.findLastIndex(({ status }) => status === 'FINISHED');
  const fined = sides[sides.length - 2];
  return {
    competition,
    season,
    rules: leagueRules(sport, clubs.length, competition.tier),
    contests: [
      {
        id: contestId,
        name: season.name,
        implied: true,
        stages: [{ id: stageId, name: 'League', type: 'LEAGUE' }],
      },
    ],
    participants: sides.map(({ participantId, club }) => ({
      id: participantId,
      type: 'TEAM',
      name: club.name,
      teamId: club.teamId,
    })),
    matches: matches.map((match, index) =>
      full && index === last && match.result && days > played
        ? { ...match, result: { ...match.result, status: 'PROVISIONAL' as const } }
        : match,
    ),
    adjustments:
      full && fined
        ? [
            {
              id: random.uuid(),
              stageId,
              participantId: fined.participantId,
              points: -2,
              reason: 'A player who was not registered took part on the second matchday.',
              at: addMinutes(`${addDays(season.startDate, 12)}T10:00:00.000Z`, 0),
            },
          ]
        : [],
  };
}
