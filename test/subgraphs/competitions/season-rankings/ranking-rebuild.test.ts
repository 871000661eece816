/** After any sequence of writes in any sport, the stored rankings equal a rebuild, and their tie-breaks explain them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { betterMark, eligibleMark, markListOf } from '../../../../subgraphs/competitions/best-marks/rules.ts';
import { counts, dayOf, type RankingFacts } from '../../../../subgraphs/competitions/season-rankings/facts.ts';
import { rankingsOf } from '../../../../subgraphs/competitions/season-rankings/rankings-of.ts';
import { compareValues, type Value } from '../../../../subgraphs/competitions/standings/criteria.ts';
import type { ComparedValue, RankedPlace, RankingRecord } from '../../../../subgraphs/competitions/season-rankings/rows.ts';
import type { ParticipantPart } from '../../../../subgraphs/competitions/results/rows.ts';
import { openRankedSeasons, type Plan, type Ranked } from './ranked-seasons.ts';
import { part } from './season-facts.ts';

const places = [{ by: 'PLACE', count: 2, toStageId: null }] as const;
const heats = [
  {
    type: 'HEATS',
    advancement: [
      { by: 'PLACE', count: 1, toStageId: null },
      { by: 'MARK', count: 1, toStageId: null },
    ],
  },
  { type: 'SWIM_OFF' },
  { type: 'FINAL' },
] as const;
const plans: readonly Plan[] = [
  { sport: 'FOOTBALL', stages: [{ type: 'LEAGUE', advancement: places }] },
  { sport: 'BASKETBALL', stages: [{ type: 'LEAGUE' }] },
  { sport: 'VOLLEYBALL', stages: [{ type: 'LEAGUE' }] },
  { sport: 'RUGBY', stages: [{ type: 'LEAGUE' }] },
  { sport: 'HANDBALL', stages: [{ type: 'GROUP', groups: ['A', 'B'], advancement: places }] },
  { sport: 'COMBAT', stages: [{ type: 'LEAGUE' }] },
  { sport: 'TENNIS', stages: [{ type: 'LEAGUE' }] },
  { sport: 'ATHLETICS', eventCode: '100M', stages: heats },
  { sport: 'SWIMMING', eventCode: '100_FREE', stages: heats },
  { sport: 'ATHLETICS', eventCode: '100M', stages: [{ type: 'FINAL' }] },
  { sport: 'ATHLETICS', eventCode: 'LONG_JUMP', stages: [{ type: 'FINAL' }] },
  { sport: 'CYCLING', eventCode: 'STAGE_RACE', stages: [{ type: 'RACE_STAGE' }, { type: 'RACE_STAGE' }] },
  { sport: 'FOOTBALL', rules: { method: 'ELO', start: 1500, factor: 20 }, stages: [{ type: 'LEAGUE' }] },
];

let platform: Awaited<ReturnType<typeof openRankedSeasons>>;
let seasons: Ranked[];
beforeAll(async () => {
  platform = await openRankedSeasons();
  seasons = [];
  for (const plan of plans) seasons.push(await platform.season(plan));
});
afterAll(() => platform.close());

// Small numbers produce tight tables with many ties.
const scores = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
const raced = fc.record({
  value: fc.constantFrom(10_000, 10_010, 11_000, 11_500),
  invalid: fc.constantFrom(null, null, null, 'DNF' as const, 'DSQ' as const),
  windMmPerS: fc.constantFrom(null, 1500, 2500),
  vacated: fc.constantFrom(false, false, false, true),
});
const operation = fc.record({
  season: fc.nat({ max: plans.length - 1 }),
  match: fc.nat({ max: 20 }),
  kind: fc.constantFrom(
    'OFFICIAL' as const,
    'OFFICIAL' as const,
    'OFFICIAL' as const,
    'CORRECTED' as const,
    'ANNULLED' as const,
    'PROVISIONAL' as const,
    'MOVED' as const,
    'ADJUSTED' as const,
  ),
  scores,
  raced: fc.array(raced, { minLength: 5, maxLength: 5 }),
  number: fc.integer({ min: 1, max: 6 }),
});
type Operation = typeof operation extends fc.Arbitrary<infer Of> ? Of : never;

const outcome = (own: number, theirs: number) => (own > theirs ? 'WIN' : own < theirs ? 'LOSS' : 'DRAW');

/** A second attempt, shorter and with its own wind. */
const attemptsOf = (value: number, windMmPerS: number | null, number: number): NonNullable<ParticipantPart['attempts']> => [
  { outcome: 'VALID', value, windMmPerS },
  { outcome: 'VALID', value: value - 100 * number, windMmPerS: number % 2 === 0 ? 1000 : 2100 },
];

function partsOf({ plan }: Ranked, { scores: [one, other], raced: races, number }: Operation): ParticipantPart[] {
  const isJump = plan.eventCode === 'LONG_JUMP';
  if (!['LEAGUE', 'GROUP'].includes(plan.stages[0]?.type ?? ''))
    return races.map(({ value, invalid, windMmPerS, vacated }, index) =>
      part('', {
        mark: invalid ? null : { value: value + index * 10, unit: isJump ? 'mm' : 'ms' },
        ...(isJump && { attempts: attemptsOf(value + index * 10, windMmPerS, number) }),
        invalidResultMark: invalid,
        windMmPerS,
        vacated,
        rank: index + 1,
        points: number,
      }),
    );
  const side = (own: number, theirs: number) =>
    part('', { score: own, outcome: outcome(own, theirs), periodScores: [own * 5, number], tries: own });
  return [side(one, other), side(other, one)];
}

async function apply(done: Operation): Promise<void> {
  const season = seasons[done.season];
  if (!season) return;
  if (done.kind === 'MOVED') await platform.move(season, done.match, done.number);
  else if (done.kind === 'ADJUSTED') await platform.adjust(season, done.match, -done.number);
  else await platform.result(season, done.match, done.kind, partsOf(season, done));
}

const sorted = (records: readonly RankingRecord[]): unknown =>
  JSON.parse(JSON.stringify(records.toSorted((one, other) => (one.id < other.id ? -1 : 1))));

/** The best mark of each athlete, computed from all results. */
function rebuiltMarks(all: readonly RankingFacts[]) {
  const found = all.flatMap((facts) =>
    facts.matches
      .filter((match) => counts(match, {}))
      .flatMap((match) => {
        const contest = facts.contests.find(({ id }) => id === match.contestId);
        const list =
          contest &&
          markListOf({ ...facts.season, category: 'MEN' }, { ...contest, category: null, course: null, ageGroup: null });
        return match.entries.flatMap(({ participantId, part: races }) => {
          const athleteId = facts.participants.find(({ id }) => id === participantId)?.athleteId;
          const eligible = list && races ? eligibleMark(races, list.rule) : null;
          if (!list || !eligible || !athleteId || participantId === null) return [];
          const mark = { athleteId, ...eligible, matchId: match.id, participantId, heldOn: dayOf(match) };
          return [{ list, mark }];
        });
      }),
  );
  return [...Map.groupBy(found, ({ list, mark }) => `${list.eventCode} ${mark.athleteId}`)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, own]) => {
      const [best] = own.toSorted((one, other) => betterMark(one.list.rule)(one.mark, other.mark));
      return best
        ? [{ athleteId: best.mark.athleteId, eventCode: best.list.eventCode, value: best.mark.value, matchId: best.mark.matchId }]
        : [];
    });
}

const valueOf = (number: ComparedValue): Value => (number.by === null ? number.value : { won: number.value, lost: number.by });

/** Negative where the chain of a row ranks it above the other, zero where nothing separates them, null where the chain does not compare them. */
function replayedOrder(row: RankedPlace, other: RankedPlace): number | null {
  for (const { criterion, value, against } of row.tieBreak?.chain ?? []) {
    const theirs = against.find(({ participantId }) => participantId === other.participantId);
    if (!theirs) continue;
    if (criterion === null || !value || !theirs.value) return 0;
    const order = compareValues(criterion, valueOf(value), valueOf(theirs.value));
    if (order !== 0) return order;
  }
  return null;
}

test('the stored rankings equal a rebuild after any sequence of results, corrections, annulments, moves and adjustments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 25 }), async (operations) => {
      for (const each of operations) await apply(each);
      const facts = await platform.facts(seasons);
      const stored = await platform.stored();
      expect(stored).toEqual(sorted(facts.flatMap((each) => rankingsOf(each))));
      expect(await platform.bestMarks()).toEqual(rebuiltMarks(facts));
      for (const { rows, method } of stored) {
        for (const [index, upper] of rows.entries()) {
          for (const lower of rows.slice(index + 1)) {
            if (method !== 'TABLE' || upper.points !== lower.points || (upper.shared && upper.matchesPlayed === 0)) continue;
            const order = replayedOrder(upper, lower);
            expect(order).not.toBeNull();
            if (upper.position === lower.position) expect(order).toBe(0);
            else expect(order).toBeLessThan(0);
          }
        }
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

describe('concurrent writes', () => {
  test('lose nothing', async () => {
    const of = seasons.filter(({ plan }) => plan.eventCode === '100M' || plan.sport === 'VOLLEYBALL');
    const all = of.flatMap((season) => season.matches.map((_, index) => ({ season, index })));
    const equal = { value: 10_000, invalid: null, windMmPerS: null, vacated: false } as const;
    const done: Operation = {
      season: 0,
      match: 0,
      kind: 'CORRECTED',
      scores: [3, 1],
      number: 2,
      raced: Array.from({ length: 5 }, () => equal),
    };
    await Promise.all(all.map(({ season, index }) => platform.result(season, index, 'CORRECTED', partsOf(season, done))));
    const facts = await platform.facts(seasons);
    expect(await platform.stored()).toEqual(sorted(facts.flatMap((each) => rankingsOf(each))));
    expect(await platform.bestMarks()).toEqual(rebuiltMarks(facts));
  });
});
