/** Races, jumps and throws of the demo data: marks by the athletes' ability, splits, wind, and athletes without a mark. */
import { openRandom, type Random } from '../../platform/random.ts';
import type { DemoAthlete } from '../../schema/demo.ts';
import type { DemoPart } from '../../schema/demo-edition.ts';
import { eventOf, type Sport } from '../../schema/sports.ts';
import { eliteMark, spreads } from '../../subgraphs/athletes/demo/marks.ts';

export interface RaceEvent {
  readonly sport: Extract<Sport, 'ATHLETICS' | 'SWIMMING'>;
  readonly eventCode: string;
  /** Number of split times, the last one at the finish; 1 for the finish only. */
  readonly laps: number;
  /** Whether the wind is measured, once for a race and for each attempt. */
  readonly wind: boolean;
  /** Whether reaction times are measured. */
  readonly start: boolean;
}

export interface Racer {
  readonly participantId: string;
  /** One athlete, or the members of a relay in order. */
  readonly athletes: readonly DemoAthlete[];
}

/** The mark of an athlete on one day: ability is constant, form varies. */
function generateMark(random: Random, event: RaceEvent, athlete: DemoAthlete): number {
  const unit = eventOf(event.sport, event.eventCode)?.mark ?? 'ms';
  const code = event.eventCode.replace(/^4X/, ''); // a leg of a relay
  const best = eliteMark(athlete, code, unit) ?? 60_000;
  const talent = (1 - athlete.ability) * spreads[unit] * openRandom(`${athlete.id}/${code}/talent`).normal(0.6, 0.08, 0.4, 0.8);
  const worse = talent + Math.abs(random.normal(0.004, 0.008));
  return Math.round((best * (unit === 'ms' ? 1 + worse : 1 - worse)) / 10) * 10;
}

/** Split times of a race: the first part is a little faster, and the sum is the total. */
function generateSplits(random: Random, value: number, laps: number): number[] {
  const even = value / laps;
  const splits = Array.from(
    { length: laps - 1 },
    (_, lap) => Math.round((even * random.normal(lap === 0 ? 0.972 : 1.006, 0.004)) / 10) * 10,
  );
  return [...splits, value - splits.reduce((sum, split) => sum + split, 0)];
}

/** Wind in steps of 0.1 m/s. */
const generateWind = (random: Random): number => Math.round(random.normal(4, 11, -32, 34)) * 100;

/** One in forty does not start and one in fifty is disqualified; both have no mark. */
function invalid(random: Random, { start }: RaceEvent): DemoPart | null {
  const chance = random.fraction();
  if (chance < 0.025) return { invalidResultMark: 'DNS' };
  return chance < 0.045 && start ? { invalidResultMark: 'DSQ', reactionTimeMs: random.integer(55, 99) } : null;
}

const withRanks = (parts: readonly DemoPart[], better: (one: number, other: number) => number): DemoPart[] => {
  const values = parts.flatMap(({ mark }) => (mark ? [mark.value] : []));
  return parts.map((part) => {
    const { mark } = part;
    return mark ? { ...part, rank: 1 + values.filter((value) => better(value, mark.value) < 0).length } : part;
  });
};

function generateRace(random: Random, event: RaceEvent, racers: readonly Racer[]): DemoPart[] {
  const wind = event.wind ? { windMmPerS: generateWind(random) } : {};
  const parts = racers.map(({ athletes }): DemoPart => {
    const out = invalid(random, event);
    if (out) return out;
    const legs = athletes.map((athlete) => generateMark(random, event, athlete));
    const value = legs.reduce((sum, leg) => sum + leg, 0);
    const splits = legs.length > 1 ? legs : event.laps > 1 ? generateSplits(random, value, event.laps) : [];
    const swims = event.sport === 'SWIMMING';
    const start = event.start ? { reactionTimeMs: Math.round(random.normal(swims ? 680 : 160, swims ? 40 : 18, 105, 900)) } : {};
    return { mark: { value, unit: 'ms' }, ...(splits.length > 0 && { splits }), ...start, ...wind };
  });
  return withRanks(parts, (one, other) => one - other);
}

/** Six attempts each; the best one counts, the others break ties. */
function generateAttempts(random: Random, event: RaceEvent, racers: readonly Racer[]): DemoPart[] {
  const parts = racers.map(({ athletes: [athlete] }): DemoPart => {
    if (!athlete || random.chance(0.02)) return { invalidResultMark: 'DNS' };
    const attempts = Array.from({ length: 6 }, () => ({
      value: Math.round((generateMark(random, event, athlete) * (1 - Math.abs(random.normal(0, 0.02)))) / 10) * 10,
      valid: random.chance(0.72),
      wind: generateWind(random),
    }));
    const [best, ...others] = attempts.filter(({ valid }) => valid).toSorted((one, other) => other.value - one.value);
    if (!best) return { invalidResultMark: 'NM' };
    return {
      mark: { value: best.value, unit: 'mm' },
      countback: others.map(({ value }) => value),
      ...(event.wind && { windMmPerS: best.wind }),
    };
  });
  return withRanks(parts, (one, other) => other - one);
}

/** The marks of all entrants of one race or one competition of attempts, in the given order. */
export function generateParts(random: Random, event: RaceEvent, racers: readonly Racer[]): DemoPart[] {
  const measured = eventOf(event.sport, event.eventCode)?.mark === 'mm';
  return measured ? generateAttempts(random, event, racers) : generateRace(random, event, racers);
}
