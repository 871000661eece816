/** Combat cards of the demo data: bouts with a red and a blue corner, by discipline, with rounds and results. */
import type { Random } from '../../platform/random.ts';
import type {
  DemoContest,
  DemoUncountedEdition,
  DemoMatch,
  DemoPart,
  DemoParticipant,
  DemoResultMethod,
} from '../../schema/demo-edition.ts';
import type { International } from './internationals.ts';
import type { RosterAthlete } from './roster.ts';
import {
  athleteParticipant,
  editionOf,
  kickoff,
  officialResult,
  scheduleOf,
  type GeneratedContest,
  type EditionFrame,
  type Place,
} from './frame.ts';
import { addDays } from './moments.ts';
import { generateCity } from './places.ts';

interface Discipline {
  readonly name: string;
  readonly rounds: number;
  readonly roundMs: number;
  /** Ways to end a bout early, with their frequency. */
  readonly stopped: readonly (readonly [method: DemoResultMethod, weight: number])[];
  readonly stoppedShare: number;
  /** Whether a bout can end in a draw. */
  readonly draws: boolean;
}

const minuteMs = 60_000;

const disciplines: Readonly<Record<string, Discipline>> = {
  BOXING: {
    name: 'Boxing',
    rounds: 8,
    roundMs: 3 * minuteMs,
    stopped: [
      ['KO_TKO', 9],
      ['RETIREMENT', 1],
    ],
    stoppedShare: 0.45,
    draws: true,
  },
  MMA: {
    name: 'Mixed martial arts',
    rounds: 3,
    roundMs: 5 * minuteMs,
    stopped: [
      ['KO_TKO', 6],
      ['SUBMISSION', 4],
    ],
    stoppedShare: 0.55,
    draws: true,
  },
  JUDO: {
    name: 'Judo',
    rounds: 1,
    roundMs: 4 * minuteMs,
    stopped: [
      ['SUBMISSION', 9],
      ['DISQUALIFICATION', 1],
    ],
    stoppedShare: 0.7,
    draws: false,
  },
};

const decisions = [
  ['DECISION_UNANIMOUS', 68],
  ['DECISION_SPLIT', 24],
  ['DECISION_MAJORITY', 8],
] as const;

/** Days from the opening of the season to each card; the last one is in the future. */
const cards = [0, 35, 70, 105, 130];
const cardCountries = ['GB', 'US', 'JP', 'BR', 'DE'] as const;
const fightersMax = 24;
const boutsMax = 6;

/** Judges' points by round: ten for the winner, nine for the loser. */
function judged(random: Random, rounds: number, winner: 0 | 1 | null): readonly [number[], number[]] {
  const won = Array.from({ length: rounds }, (_, index) =>
    winner === null ? index % 2 : random.chance(0.3) ? 1 - winner : winner,
  );
  const needed = Math.floor(rounds / 2) + 1;
  if (winner !== null) won.fill(winner, 0, needed);
  return [won.map((side) => (side === 0 ? 10 : 9)), won.map((side) => (side === 1 ? 10 : 9))];
}

function generateBout(random: Random, { rounds, roundMs, stopped, stoppedShare, draws }: Discipline, edge: number) {
  const winner = random.chance(1 / (1 + Math.exp(-edge * 5))) ? 0 : 1;
  const outcomes = (side: 0 | 1): NonNullable<DemoPart['outcome']> => (side === winner ? 'WIN' : 'LOSS');
  // an accident in the first round
  if (random.chance(0.03)) return { parts: [{ outcome: 'NO_CONTEST' }, { outcome: 'NO_CONTEST' }] as const, endedBy: null };
  if (random.chance(stoppedShare)) {
    const endedBy = {
      method: random.weighted(stopped),
      period: random.integer(1, rounds),
      clockMs: random.integer(15, roundMs / 1000 - 1) * 1000,
    };
    return { parts: [{ outcome: outcomes(0) }, { outcome: outcomes(1) }] as const, endedBy };
  }
  const level = draws && rounds % 2 === 0 && random.chance(0.08);
  const [red, blue] = judged(random, rounds, level ? null : winner);
  const partOf = (side: 0 | 1, periodScores: readonly number[]): DemoPart => ({
    outcome: level ? 'DRAW' : outcomes(side),
    ...(rounds > 1 && { periodScores, score: periodScores.reduce((sum, points) => sum + points, 0) }),
  });
  const endedBy = { method: level ? 'DECISION_MAJORITY' : random.weighted(decisions), period: rounds, clockMs: null };
  return { parts: [partOf(0, red), partOf(1, blue)] as const, endedBy };
}

interface Fighter {
  readonly athlete: RosterAthlete['athlete'];
  readonly participant: DemoParticipant;
}

interface Card {
  readonly contestId: string;
  readonly stageId: string;
  /** Days from the opening of the season. */
  readonly day: number;
  /** Position in the season, from 1. */
  readonly number: number;
  readonly place: Place;
}

/** A bout of a card; `number` counts from 1, and the last bout is the main bout. */
function generateCardBout(
  { random, today, season }: EditionFrame,
  discipline: Discipline,
  card: Card,
  [red, blue]: readonly [Fighter, Fighter],
  bout: { readonly number: number; readonly main: boolean },
): DemoMatch {
  const { contestId, stageId, place } = card;
  const at = kickoff(today, addDays(season.startDate, card.day), `${17 + bout.number}:00`, place, 50);
  const fought = at.recordedAt === null ? null : generateBout(random, discipline, red.athlete.ability - blue.athlete.ability);
  const entryOf = (side: 'RED' | 'BLUE', participantId: string, part: DemoPart | undefined) => ({
    id: random.uuid(),
    participantId,
    side,
    ...(part && { part }),
  });
  return {
    id: random.uuid(),
    contestId,
    stageId,
    round: `Card ${card.number}, ${bout.main ? 'main bout' : `bout ${bout.number}`}`,
    matchday: card.number,
    ...scheduleOf(at),
    venue: { name: `${place.city} Arena`, city: place.city, country: place.country, neutral: true },
    format: { periods: discipline.rounds },
    entries: [entryOf('RED', red.participant.id, fought?.parts[0]), entryOf('BLUE', blue.participant.id, fought?.parts[1])],
    ...officialResult(random, at, fought?.endedBy ? { endedBy: fought.endedBy } : {}),
  };
}

function generateContest(frame: EditionFrame, discipline: Discipline, fighters: readonly RosterAthlete[]): GeneratedContest {
  const { random } = frame;
  const [contestId, stageId] = [random.uuid(), random.uuid()];
  const entered = fighters.map((fighter): Fighter => ({
    athlete: fighter.athlete,
    participant: athleteParticipant(random, contestId, fighter),
  }));
  const matches = cards.flatMap((day, index) => {
    const country = cardCountries[index] ?? 'GB';
    const card: Card = { contestId, stageId, day, number: index + 1, place: { country, city: generateCity(random, country) } };
    const paired = random.sample(entered, 2 * Math.min(boutsMax, Math.floor(entered.length / 2)));
    const bouts = paired.length / 2;
    return Array.from({ length: bouts }, (_, bout): DemoMatch[] => {
      const [red, blue] = [paired[2 * bout], paired[2 * bout + 1]];
      if (!red || !blue) return [];
      return [generateCardBout(frame, discipline, card, [red, blue], { number: bout + 1, main: bout === bouts - 1 })];
    }).flat();
  });
  const contest: DemoContest = {
    id: contestId,
    name: `${discipline.name}, ${frame.competition.category.toLowerCase()}, open weight`,
    category: frame.competition.category,
    weightClass: 'Open weight',
    stages: [{ id: stageId, name: 'Bouts', type: 'LEAGUE' }],
  };
  return { contest, participants: entered.map(({ participant }) => participant), matches };
}

/** A contest for each discipline with at least four fighters; null when there is none. */
export function generateCards(frame: EditionFrame, { sex }: Pick<International, 'sex'>): DemoUncountedEdition | null {
  const fighters = frame.roster.athletes('COMBAT', sex ?? 'MALE');
  const generated = Object.entries(disciplines).flatMap(([code, discipline]) => {
    const own = fighters.filter(({ athlete }) => athlete.discipline === code).slice(0, fightersMax);
    return own.length < 4 ? [] : [generateContest(frame, discipline, own)];
  });
  return editionOf(frame, generated);
}
