/** A tennis tour of the demo data: knock-out tournaments that award ranking points. */
import type { DemoContest, DemoUncountedEdition, DemoEntry, DemoMatch } from '../../schema/demo-edition.ts';
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
import { generateTennisScore, type TennisMatchScore } from './tennis-scores.ts';

/** Days from the opening of the season to that of the tournament; countries alternate. */
const tournaments = [
  { day: 0, country: 'AR', name: 'Clay Open', top: 250 },
  { day: 35, country: 'ES', name: 'Masters', top: 1000 },
  { day: 77, country: 'GB', name: 'Grass Classic', top: 500 },
  { day: 119, country: 'US', name: 'Hard Court Open', top: 500 },
  // in progress on the reference day
  { day: 161, country: 'JP', name: 'Indoors', top: 500 },
] as const;

const roundNames: Readonly<Record<number, string>> = {
  1: 'Final',
  2: 'Semi-final',
  4: 'Quarter-final',
  8: 'Round of 16',
  16: 'Round of 32',
};

/** A loser's share of the winner's points, by the number of matches in the round; the winner of the final gets all points. */
const shares: Readonly<Record<number, number>> = { 1: 0.6, 2: 0.36, 4: 0.18, 8: 0.09, 16: 0.045 };

const lastsMinutes = 150;
const drawMax = 16;
const seeded = 8;
const roundsMax = 4;

/** Positions of seeds in a draw of a power of two: the first two can only meet in the final. */
function seedOrder(size: number): number[] {
  let order = [1];
  while (order.length < size) order = order.flatMap((seed) => [seed, order.length * 2 + 1 - seed]);
  return order;
}

type Tournament = (typeof tournaments)[number];

interface Slot {
  readonly player: { readonly participantId: string; readonly seed: number; readonly ability: number } | null;
  readonly source: DemoMatch | null;
}

interface Round {
  readonly tournament: Tournament;
  readonly contestId: string;
  readonly stageId: string;
  readonly place: Place;
  readonly name: string;
  readonly ties: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

/** Ranking points of a side: those of the round for the loser, all points for the winner of the final. */
function rankingPoints(top: number, ties: number, won: boolean): { points?: number } {
  if (!won) return { points: Math.round(top * (shares[ties] ?? 0)) };
  return ties === 1 ? { points: top } : {};
}

/** The placeholder of a slot that the winner of an earlier match fills. */
function placeholderOf(source: DemoMatch, matches: readonly DemoMatch[]): Pick<DemoEntry, 'placeholder'> {
  const text = `Winner of match ${matches.indexOf(source) + 1}`;
  return { placeholder: { text, sourceMatchId: source.id, outcome: 'WINNER' } };
}

/** A match of a round; `index` is its position in the round, and `earlier` has the matches drawn before it. */
function generateTie(
  { random, today }: EditionFrame,
  round: Round,
  sides: readonly Slot[],
  index: number,
  earlier: readonly DemoMatch[],
): { match: DemoMatch; winner: Slot['player'] } {
  const { tournament, contestId, stageId, place, ties } = round;
  const at = kickoff(today, round.date, index % 2 === 0 ? '12:00' : '16:00', place, lastsMinutes);
  const played = at.recordedAt !== null && sides.every(({ player }) => player !== null);
  const edge = (sides[0]?.player?.ability ?? 0) - (sides[1]?.player?.ability ?? 0);
  const score: TennisMatchScore | null = played ? generateTennisScore(random, edge) : null;
  const partOf = (won: boolean) => ({
    part: { outcome: won ? 'WIN' : 'LOSS', ...rankingPoints(tournament.top, ties, won) } as const,
  });
  const entries = sides.map(({ player, source }, side): DemoEntry => ({
    id: random.uuid(),
    participantId: player?.participantId ?? null,
    ...(player && { seed: player.seed }),
    ...(source && placeholderOf(source, earlier)),
    ...(score && partOf(score.winner === side)),
  }));
  const match: DemoMatch = {
    id: random.uuid(),
    contestId,
    stageId,
    round: round.name,
    ...scheduleOf(at),
    status: played ? 'FINISHED' : at.status,
    venue: { name: `${place.city} Tennis Centre`, city: place.city, country: place.country, neutral: true },
    format: { bestOf: 3 },
    entries,
    ...(score && officialResult(random, at, { scoreText: score.text })),
  };
  return { match, winner: score ? (sides[score.winner]?.player ?? null) : null };
}

function generateTournament(frame: EditionFrame, tournament: Tournament, players: readonly RosterAthlete[]): GeneratedContest {
  const { random, season, competition } = frame;
  const [contestId, stageId] = [random.uuid(), random.uuid()];
  const place: Place = { country: tournament.country, city: generateCity(random, tournament.country) };
  const size = 2 ** Math.floor(Math.log2(players.length));
  const entered = players.slice(0, size).map(({ athlete }, index) => ({
    participant: { ...athleteParticipant(random, contestId, { athlete, team: null }), seed: index + 1 },
    ability: athlete.ability,
  }));
  const matches: DemoMatch[] = [];
  let slots: Slot[] = seedOrder(size).map((seed) => {
    const found = entered[seed - 1];
    return { player: found ? { participantId: found.participant.id, seed, ability: found.ability } : null, source: null };
  });
  const rounds = Math.log2(size);
  for (let number = 0; slots.length > 1; number += 1) {
    const ties = slots.length / 2;
    // a small draw opens later; the day before the final is a rest day
    const later = tournament.day + roundsMax - rounds + number + (ties === 1 ? 1 : 0);
    const name = roundNames[ties] ?? `Round ${number + 1}`;
    const round: Round = { tournament, contestId, stageId, place, name, ties, date: addDays(season.startDate, later) };
    slots = Array.from({ length: ties }, (_, index): Slot => {
      const sides = [slots[2 * index], slots[2 * index + 1]].map((slot) => slot ?? { player: null, source: null });
      const { match, winner } = generateTie(frame, round, sides, index, matches);
      matches.push(match);
      return { player: winner, source: match };
    });
  }
  const contest: DemoContest = {
    id: contestId,
    name: `${place.city} ${tournament.name}`,
    category: competition.category,
    stages: [{ id: stageId, name: 'Main draw', type: 'KNOCKOUT' }],
  };
  return { contest, participants: entered.map(({ participant }) => participant), matches };
}

/** Null when there are too few players. */
export function generateTour(frame: EditionFrame, { sex }: Pick<International, 'sex'>): DemoUncountedEdition | null {
  const { random, roster } = frame;
  const players = roster.athletes('TENNIS', sex ?? 'MALE').filter(({ athlete }) => athlete.discipline === 'SINGLES');
  if (players.length < 4) return null;
  const generated = tournaments.map((tournament) => {
    // the best play most tournaments, the others take turns
    const best = players.slice(0, seeded).filter(() => players.length <= drawMax || random.chance(0.8));
    const others = new Set(random.sample(players.slice(seeded), drawMax - best.length));
    return generateTournament(frame, tournament, [...best, ...players.filter((player) => others.has(player))]);
  });
  const edition = editionOf(frame, generated);
  return edition && { ...edition, rules: { method: 'POINTS_BEST_N', best: 19 } };
}
