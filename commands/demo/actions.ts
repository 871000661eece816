/** The events of a match between two teams: the goals, tries and baskets that produce its score, and cards. */
import type { Random } from '../../platform/random.ts';
import { positionGroup } from '../../schema/position-codes.ts';
import type { DemoAthlete } from '../../schema/demo.ts';
import type { DemoAction, DemoActionType, DemoPlayer } from '../../schema/demo-edition.ts';
import type { Club } from './roster.ts';
import { generateCount, type Score, type TeamSport } from './scores.ts';
import { generateSubstitutions } from './substitutions.ts';

/** Scoring probability of a position group, relative to the others of the team. */
const scoring: Readonly<Record<TeamSport, Readonly<Record<string, number>>>> = {
  FOOTBALL: { GK: 0.02, DF: 1, MF: 3, FW: 7 },
  BASKETBALL: { G: 4, F: 3, C: 3 },
  VOLLEYBALL: { L: 0.01, S: 2, OH: 3, OP: 3, MB: 1 },
  RUGBY: { FW: 1, BK: 3 },
  HANDBALL: { GK: 0.1, WG: 3, BC: 4, PV: 3 },
};

/** Minutes of a period, and of a period of extra time. */
const minutes: Readonly<Record<TeamSport, { readonly periods: number; readonly each: number; readonly extra: number } | null>> = {
  FOOTBALL: { periods: 2, each: 45, extra: 30 },
  BASKETBALL: { periods: 4, each: 10, extra: 5 },
  VOLLEYBALL: null,
  RUGBY: { periods: 2, each: 40, extra: 20 },
  HANDBALL: { periods: 2, each: 30, extra: 10 },
};

interface Event {
  readonly type: DemoActionType;
  readonly period: number;
  readonly minute: number | null;
  readonly side: 0 | 1;
  readonly athleteId: string | null;
  readonly assistId?: string | null;
  /** Points that it adds to the score. */
  readonly worth?: number;
}

export interface Sheet {
  readonly participantId: string;
  readonly club: Club;
  readonly lineup: readonly DemoPlayer[];
}

interface Course {
  readonly random: Random;
  readonly sport: TeamSport;
  readonly score: Score;
  /** An athlete on the pitch, scorers first; null without a team sheet. */
  someone(side: 0 | 1): DemoAthlete | null;
  minuteOf(period: number): number | null;
}

const periodsOf = ({ parts }: Score): number => parts[0].periodScores?.length ?? 0;
const both = [0, 1] as const;

/** One event for each point of a side's score in a period. */
function football({ random, score, someone, minuteOf }: Course): Event[] {
  const goals = both.flatMap((side) =>
    Array.from({ length: periodsOf(score) }, (_, index) => index + 1).flatMap((period) =>
      Array.from({ length: score.parts[side].periodScores?.[period - 1] ?? 0 }, (): Event => {
        const scorer = someone(side);
        const penalty = random.chance(0.09);
        const helper = penalty || random.chance(0.35) ? null : someone(side);
        return {
          type: penalty ? 'PENALTY_GOAL' : 'GOAL',
          period,
          minute: minuteOf(period),
          side,
          athleteId: scorer?.id ?? null,
          assistId: helper === scorer ? null : (helper?.id ?? null),
          worth: 1,
        };
      }),
    ),
  );
  const cards = both.flatMap((side) =>
    Array.from({ length: generateCount(random, 1.6) }, () => cardOf(random, side, someone(side), minuteOf, 0.04)),
  );
  return [...goals, ...cards];
}

function cardOf(random: Random, side: 0 | 1, athlete: DemoAthlete | null, minuteOf: Course['minuteOf'], red: number): Event {
  const period = random.integer(1, 2);
  const type = random.chance(red) ? 'RED_CARD' : 'YELLOW_CARD';
  return { type, period, minute: minuteOf(period), side, athleteId: athlete?.id ?? null };
}

function handball({ random, score, someone, minuteOf }: Course): Event[] {
  const goals = both.flatMap((side) =>
    (score.parts[side].periodScores ?? []).flatMap((many, index) =>
      Array.from({ length: many }, (): Event => {
        const type = random.chance(0.12) ? 'PENALTY_GOAL' : 'GOAL';
        return { type, period: index + 1, minute: minuteOf(index + 1), side, athleteId: someone(side)?.id ?? null, worth: 1 };
      }),
    ),
  );
  const suspensions = both.flatMap((side) =>
    Array.from({ length: generateCount(random, 3) }, (): Event => {
      const period = random.integer(1, 2);
      return { type: 'SUSPENSION', period, minute: minuteOf(period), side, athleteId: someone(side)?.id ?? null };
    }),
  );
  return [...goals, ...suspensions];
}

const baskets = [
  ['TWO_POINTS', 2, 52],
  ['THREE_POINTS', 3, 26],
  ['FREE_THROW', 1, 22],
] as const;

function basketball({ random, score, someone, minuteOf }: Course): Event[] {
  return both.flatMap((side) =>
    (score.parts[side].periodScores ?? []).flatMap((many, index) => {
      const events: Event[] = [];
      for (let left = many; left > 0;) {
        const possible = baskets.filter(([, worth]) => worth <= left);
        const [type, worth] = random.weighted(possible.map((each) => [each, each[2]] as const));
        left -= worth;
        events.push({ type, period: index + 1, minute: minuteOf(index + 1), side, athleteId: someone(side)?.id ?? null, worth });
      }
      return events;
    }),
  );
}

function rugby({ random, score, someone, minuteOf }: Course): Event[] {
  const events = both.flatMap((side) => {
    const kicker = someone(side);
    return (score.rugby?.[side] ?? []).flatMap(({ tries, conversions, penalties }, index) => {
      const period = index + 1;
      const kick = (type: DemoActionType, minute: number | null, worth: number): Event => ({
        type,
        period,
        minute,
        side,
        athleteId: kicker?.id ?? null,
        worth,
      });
      const tried = Array.from({ length: tries }, (_, number): Event[] => {
        const minute = minuteOf(period);
        const attempt: Event = { type: 'TRY', period, minute, side, athleteId: someone(side)?.id ?? null, worth: 5 };
        return number < conversions ? [attempt, kick('CONVERSION', minute, 2)] : [attempt];
      }).flat();
      return [...tried, ...Array.from({ length: penalties }, () => kick('PENALTY_KICK', minuteOf(period), 3))];
    });
  });
  const cards = both.flatMap((side) =>
    Array.from({ length: generateCount(random, 0.5) }, () => cardOf(random, side, someone(side), minuteOf, 0.08)),
  );
  return [...events, ...cards];
}

function volleyball({ random, score, someone }: Course): Event[] {
  const [home, away] = score.parts.map(({ periodScores }) => periodScores ?? []);
  return (home ?? []).flatMap((points, index): Event[] => {
    const period = index + 1;
    const aces = both.flatMap((side) =>
      Array.from({ length: generateCount(random, 1.3) }, (): Event => {
        return { type: 'ACE', period, minute: null, side, athleteId: someone(side)?.id ?? null };
      }),
    );
    const side = points > (away?.[index] ?? 0) ? 0 : 1;
    return [...aces, { type: 'SET', period, minute: null, side, athleteId: null, worth: 1 }];
  });
}

const courses: Readonly<Record<TeamSport, (course: Course) => Event[]>> = {
  FOOTBALL: football,
  BASKETBALL: basketball,
  VOLLEYBALL: volleyball,
  RUGBY: rugby,
  HANDBALL: handball,
};

/** Sports in which players return to the field at any time, so that all of a team sheet play. */
const rolling: ReadonlySet<TeamSport> = new Set(['BASKETBALL', 'VOLLEYBALL', 'HANDBALL']);
/** The playing time of a reserve, relative to a starter. */
const reserveShare = 0.4;

/** The actions of a match in order; those that score add up to the score. */
export function generateActions(random: Random, sport: TeamSport, score: Score, sheets: readonly [Sheet, Sheet]): DemoAction[] {
  const pitches = sheets.map(({ club, lineup }) => {
    const sheet = new Map(lineup.map((player) => [player.athleteId, player]));
    return club.players.flatMap((athlete) => {
      const player = sheet.get(athlete.id);
      if (!player || !(player.starter || rolling.has(sport))) return [];
      const group = positionGroup(sport, athlete.positions[0] ?? '') ?? '';
      const share = player.starter ? 1 : reserveShare;
      return [[athlete, share * (scoring[sport][group] ?? 1) * (0.4 + athlete.ability)] as const];
    });
  });
  const clock = minutes[sport];
  const played = courses[sport]({
    random,
    sport,
    score,
    someone: (side) => ((pitches[side] ?? []).length > 0 ? random.weighted(pitches[side] ?? []) : null),
    minuteOf: (period) => {
      if (!clock) return null;
      const regular = Math.min(period - 1, clock.periods);
      const before = regular * clock.each + (period - 1 - regular) * clock.extra;
      return before + random.integer(1, period > clock.periods ? clock.extra : clock.each);
    },
  });
  const changes = both.flatMap((side) => generateSubstitutions(random, sport, side, sheets[side].lineup, played));
  const inOrder = [...played, ...changes].toSorted(
    (one, other) => one.period - other.period || (one.minute ?? 0) - (other.minute ?? 0),
  );
  // lists are sorted by minute and then by ID
  const ids = inOrder.map(() => random.uuid()).sort();
  const scores: [number, number] = [0, 0];
  return inOrder.map(({ type, period, minute, side, athleteId, assistId = null, worth }, index) => {
    scores[side] += worth ?? 0;
    return {
      id: ids[index] ?? random.uuid(),
      type,
      period,
      minute,
      participantId: sheets[side].participantId,
      athleteId,
      assistId,
      scoreAfter: worth === undefined ? null : [scores[0], scores[1]],
    };
  });
}
