/** A tennis tour of the demo data: knock-out tournaments that award ranking points. */
import type { DemoContest, DemoEdition, DemoEntry, DemoMatch, DemoParticipant } from '../../schema/demo-edition.ts';
import type { CastAthlete } from './cast.ts';
import { kickoff, type EditionFrame, type Place } from './frame.ts';
import { addDays } from './moments.ts';
import { drawCity } from './places.ts';
import { drawTennisScore } from './tennis-scores.ts';

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
const roundsMax = 4;

/** Positions of seeds in a draw of a power of two: the first two can only meet in the final. */
function seedOrder(size: number): number[] {
  let order = [1];
  while (order.length < size) order = order.flatMap((seed) => [seed, order.length * 2 + 1 - seed]);
  return order;
}

interface Slot {
  readonly player: { readonly participantId: string; readonly seed: number; readonly ability: number } | null;
  readonly source: DemoMatch | null;
}

function drawTournament(
  { random, today, season }: EditionFrame,
  { day, country, name, top }: (typeof tournaments)[number],
  players: readonly CastAthlete[],
): { contest: DemoContest; participants: DemoParticipant[]; matches: DemoMatch[] } {
  const [contestId, stageId] = [random.uuid(), random.uuid()];
  const place: Place = { country, city: drawCity(random, country) };
  const size = 2 ** Math.floor(Math.log2(players.length));
  const entered = players.slice(0, size).map(({ athlete }, index) => ({
    participant: {
      id: random.uuid(),
      contestId,
      type: 'ATHLETE',
      athleteId: athlete.id,
      representsCountry: athlete.nationality,
      seed: index + 1,
    } as const,
    ability: athlete.ability,
  }));
  const matches: DemoMatch[] = [];
  let slots: Slot[] = seedOrder(size).map((seed) => {
    const found = entered[seed - 1];
    return { player: found ? { participantId: found.participant.id, seed, ability: found.ability } : null, source: null };
  });
  const rounds = Math.log2(size);
  for (let round = 0; slots.length > 1; round += 1) {
    const ties = slots.length / 2;
    // a small draw opens later; the day before the final is a rest day
    const later = day + roundsMax - rounds + round + (ties === 1 ? 1 : 0);
    slots = Array.from({ length: ties }, (_, index): Slot => {
      const both = [slots[2 * index], slots[2 * index + 1]].map((slot) => slot ?? { player: null, source: null });
      const at = kickoff(today, addDays(season.startDate, later), index % 2 === 0 ? '12:00' : '16:00', place, lastsMinutes);
      const known = both.every(({ player }) => player !== null);
      const played = known && at.recordedAt !== null;
      const edge = (both[0]?.player?.ability ?? 0) - (both[1]?.player?.ability ?? 0);
      const score = played ? drawTennisScore(random, edge) : null;
      const entries = both.map(({ player, source }, side): DemoEntry => {
        const won = score?.winner === side;
        const share = !score ? null : !won ? (shares[ties] ?? 0) : ties === 1 ? 1 : null;
        return {
          id: random.uuid(),
          participantId: player?.participantId ?? null,
          ...(player && { seed: player.seed }),
          ...(source && {
            placeholder: { text: `Winner of match ${matches.indexOf(source) + 1}`, sourceMatchId: source.id, outcome: 'WINNER' },
          }),
          ...(score && {
            part: { outcome: won ? 'WIN' : 'LOSS', ...(share !== null && { points: Math.round(top * share) }) },
          }),
        };
      });
      const match: DemoMatch = {
        id: random.uuid(),
        contestId,
        stageId,
        round: roundNames[ties] ?? `Round ${round + 1}`,
        date: at.date,
        startTime: at.startTime,
        timeZone: at.timeZone,
        status: played ? 'FINISHED' : at.status,
        venue: { name: `${place.city} Tennis Centre`, city: place.city, country, neutral: true },
        format: { bestOf: 3 },
        entries,
        ...(score &&
          at.recordedAt !== null && {
            result: { id: random.uuid(), status: 'OFFICIAL', at: at.recordedAt, scoreText: score.text },
          }),
      };
      matches.push(match);
      const winner = entries.findIndex(({ part }) => part?.outcome === 'WIN');
      return { player: winner < 0 ? null : (both[winner]?.player ?? null), source: match };
    });
  }
  const contest: DemoContest = {
    id: contestId,
    name: `${place.city} ${name}`,
    category: 'MEN',
    stages: [{ id: stageId, name: 'Main draw', type: 'KNOCKOUT' }],
  };
  return { contest, participants: entered.map(({ participant }) => participant), matches };
}

/** Null when there are too few players. */
export function drawTour(frame: EditionFrame): DemoEdition | null {
  const { random, competition, season, cast } = frame;
  const players = cast.athletes('TENNIS', 'MALE').filter(({ athlete }) => athlete.discipline === 'SINGLES');
  if (players.length < 4) return null;
  const drawn = tournaments.map((tournament) => {
    // some players skip a tournament
    const entering = players.filter(() => players.length <= drawMax || random.chance(0.8)).slice(0, drawMax);
    return drawTournament(frame, tournament, entering.length < 4 ? players.slice(0, drawMax) : entering);
  });
  return {
    competition,
    season,
    rules: { method: 'POINTS_BEST_N', best: 19 },
    contests: drawn.map(({ contest }) => contest),
    participants: drawn.flatMap(({ participants }) => participants),
    matches: drawn.flatMap(({ matches }) => matches),
    adjustments: [],
  };
}
