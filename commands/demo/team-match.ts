/** A match of two teams of the demo data: time, place, participants and result. */
import type { Random } from '../../platform/random.ts';
import type { DemoEntry, DemoMatch } from '../../schema/demo-edition.ts';
import { generateActions } from './actions.ts';
import type { Club } from './roster.ts';
import { scheduleOf, type Kickoff, type Place } from './frame.ts';
import { generateLineup } from './lineups.ts';
import { generateName } from './names.ts';
import { generateScore, type TeamSport } from './scores.ts';

export interface Side {
  readonly participantId: string;
  readonly club: Club;
}

export interface TeamMatch extends Pick<DemoMatch, 'contestId' | 'stageId' | 'group' | 'round' | 'matchday'> {
  readonly id: string;
  readonly sport: TeamSport;
  readonly sides: readonly [Side, Side];
  readonly at: Kickoff;
  /** The venue when it is not the home of the first side. */
  readonly neutral?: Place;
  /** Whether the match needs a winner. */
  readonly knockout?: boolean;
}

const grounds: Readonly<Record<TeamSport, readonly [name: string, spectators: number]>> = {
  FOOTBALL: ['Stadium', 14_000],
  BASKETBALL: ['Arena', 4_200],
  VOLLEYBALL: ['Arena', 2_300],
  RUGBY: ['Rugby Ground', 7_000],
  HANDBALL: ['Sports Hall', 2_600],
};

const roles = ['REFEREE', 'ASSISTANT_REFEREE'] as const;

/** Both entries without a result. */
function entriesOf(random: Random, { sides, neutral }: Pick<TeamMatch, 'sides' | 'neutral'>): [DemoEntry, DemoEntry] {
  const [home, away] = sides;
  const id = random.uuid;
  if (neutral)
    return [
      { id: id(), participantId: home.participantId },
      { id: id(), participantId: away.participantId },
    ];
  return [
    { id: id(), participantId: home.participantId, side: 'HOME' },
    { id: id(), participantId: away.participantId, side: 'AWAY' },
  ];
}

/** Plays a match that is over; other matches have neither score nor team sheets. */
export function generateTeamMatch(random: Random, match: TeamMatch): DemoMatch {
  const { sport, sides, at, neutral, knockout = false } = match;
  const [home, away] = sides;
  const [ground, spectators] = grounds[sport];
  const place = neutral ?? home.club;
  const known = {
    id: match.id,
    contestId: match.contestId,
    stageId: match.stageId,
    ...(match.group !== undefined && { group: match.group }),
    ...(match.round !== undefined && { round: match.round }),
    ...(match.matchday !== undefined && { matchday: match.matchday }),
    ...scheduleOf(at),
    venue: { name: `${place.city} ${ground}`, city: place.city, country: place.country, neutral: neutral !== undefined },
  };
  const [first, second] = entriesOf(random, match);
  if (at.recordedAt === null) return { ...known, entries: [first, second] };
  const score = generateScore(random, sport, home.club.strength - away.club.strength, knockout);
  const result = { id: random.uuid(), status: 'OFFICIAL', duration: score.duration, at: at.recordedAt } as const;
  const played = [
    { ...first, part: score.parts[0] },
    { ...second, part: score.parts[1] },
  ] as const;
  const lineups = [generateLineup(random, sport, home.club), generateLineup(random, sport, away.club)] as const;
  return {
    ...known,
    attendance: Math.round(random.normal(spectators * (0.6 + home.club.strength), spectators / 5, 120)),
    officials: roles.map((role) => ({
      name: generateName(random, place.country, 'MALE').displayName,
      role,
      country: place.country,
    })),
    entries: [
      { ...played[0], lineup: lineups[0] },
      { ...played[1], lineup: lineups[1] },
    ],
    actions: generateActions(random, sport, score, [
      { ...home, lineup: lineups[0] },
      { ...away, lineup: lineups[1] },
    ]),
    result,
  };
}
