/** The tables of sports, positions, events and metrics are consistent. */
import { describe, expect, test } from '@jest/globals';
import { bestMetrics, commonMetrics, metric, metrics } from '../../schema/metrics.ts';
import type { MetricRow } from '../../schema/metrics.ts';
import { rankingRuleSets } from '../../schema/ranking-rules.ts';
import { expandPositions, positionGroup } from '../../schema/position-codes.ts';
import { eventOf, metricsOf, rankingRulesOf, sportNames, sports } from '../../schema/sports.ts';
import type { SportRow } from '../../schema/sports.ts';

const rows: [string, SportRow][] = Object.entries(sports);
const metricRows: [string, MetricRow][] = Object.entries(metrics);
const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);
const codesOf = (row: SportRow) => Object.values(row.eventCodes).flatMap((events) => Object.keys(events));

describe('sports', () => {
  test('contain the ten sports of the specification', () => {
    expect(sportNames).toEqual([
      'FOOTBALL',
      'BASKETBALL',
      'VOLLEYBALL',
      'RUGBY',
      'COMBAT',
      'TENNIS',
      'ATHLETICS',
      'SWIMMING',
      'CYCLING',
      'HANDBALL',
    ]);
  });

  test.each(rows)('%s: disciplines, events, positions and metrics have no duplicates', (_sport, row) => {
    const positions = Object.entries(row.positionGroups).flatMap(([group, { positions: members }]) => [
      group,
      ...Object.keys(members),
    ]);
    for (const codes of [row.disciplines, codesOf(row), positions, [...row.metrics, ...commonMetrics]])
      expect(repeated(codes)).toEqual([]);
  });

  test.each(rows)('%s: a discipline is never an event code, and events belong to known disciplines', (_sport, row) => {
    expect(codesOf(row).filter((code) => row.disciplines.includes(code))).toEqual([]);
    expect(Object.keys(row.eventCodes).filter((discipline) => !row.disciplines.includes(discipline))).toEqual([]);
  });

  test.each(rows)('%s: every code is valid in a URL and an enum', (_sport, row) => {
    for (const code of [...row.disciplines, ...codesOf(row), ...Object.keys(row.positionGroups)])
      expect(code).toMatch(/^[A-Z0-9_]+$/);
  });

  test.each(rows)('%s: a metric of some positions refers to groups of the sport', (_sport, row) => {
    for (const key of row.metrics) {
      for (const group of metric(key)?.positions ?? [])
        expect([key, Object.hasOwn(row.positionGroups, group)]).toEqual([key, true]);
    }
  });

  test.each(sportNames)('%s: a ratio consists of metrics of the sport', (sport) => {
    const keys: string[] = metricsOf(sport).map(({ key }) => key);
    for (const { aggregation } of metricsOf(sport))
      if (typeof aggregation === 'object') expect(keys).toEqual(expect.arrayContaining([...aggregation.ratio]));
  });

  test.each(rows)('%s: every measured event has a metric for the personal best', (sport, row) => {
    if (sport === 'CYCLING') return;
    for (const events of Object.values(row.eventCodes)) {
      for (const { mark } of Object.values(events)) if (mark) expect(row.metrics).toContain(bestMetrics[mark].personal);
    }
  });
});

describe('positions', () => {
  test('a position belongs to its group; a group belongs to itself', () => {
    expect(positionGroup('FOOTBALL', 'CB')).toBe('DF');
    expect(positionGroup('FOOTBALL', 'DF')).toBe('DF');
    expect(positionGroup('HANDBALL', 'CB')).toBe('BC');
    expect(positionGroup('FOOTBALL', 'PG')).toBeUndefined();
    expect(positionGroup('TENNIS', 'GK')).toBeUndefined();
    expect(positionGroup('FOOTBALL', 'constructor')).toBeUndefined();
  });

  test('a group matches its members; a member matches only itself', () => {
    expect(expandPositions('BASKETBALL', ['G'])).toEqual(['G', 'PG', 'SG']);
    expect(expandPositions('BASKETBALL', ['PG', 'G'])).toEqual(['PG', 'G', 'SG']);
    expect(expandPositions('FOOTBALL', ['CB'])).toEqual(['CB']);
  });

  test('without a sport, a group expands in every sport that has it', () => {
    expect(expandPositions(null, ['FW'])).toEqual(expect.arrayContaining(['FW', 'ST', 'PR']));
  });

  test('an unknown code is kept, so that a filter matches nothing', () => {
    expect(expandPositions('FOOTBALL', ['NOPE', '__proto__'])).toEqual(['NOPE', '__proto__']);
  });
});

describe('metrics', () => {
  test.each(metricRows)('%s: the range is not empty; percentages range from 0 to 100', (_key, row) => {
    expect(row.min).toBeLessThan(row.max);
    if (row.unit === 'pct') expect([row.min, row.max, row.valueType]).toEqual([0, 100, 'DECIMAL']);
  });

  test.each(metricRows)('%s: a unit in the name equals the unit of the metric', (key, row) => {
    const suffix = /(?:[a-z0-9])(Ms|Mm|Cm|Pct)$/.exec(key)?.[1];
    if (suffix) expect(row.unit).toBe(suffix.toLowerCase());
  });

  test('every metric belongs to a sport or to all sports', () => {
    const used = new Set<string>(sportNames.flatMap((sport) => metricsOf(sport).map(({ key }) => key)));
    expect(Object.keys(metrics).filter((key) => !used.has(key))).toEqual([]);
  });

  test('a lower time and a higher jump are better', () => {
    expect(metric('personalBestMs')).toMatchObject({ direction: 'LOWER_IS_BETTER', aggregation: 'MIN' });
    expect(metric('personalBestMm')).toMatchObject({ direction: 'HIGHER_IS_BETTER', aggregation: 'MAX' });
    expect(metric('nope')).toBeUndefined();
    expect(metric('constructor')).toBeUndefined();
  });
});

describe('events and rules', () => {
  test('an event has a discipline, a mark and members', () => {
    expect(eventOf('ATHLETICS', 'LONG_JUMP')).toMatchObject({ discipline: 'FIELD', mark: 'mm', direction: 'HIGHER_IS_BETTER' });
    expect(eventOf('SWIMMING', '4X100_MEDLEY')).toMatchObject({ discipline: 'POOL', mark: 'ms', members: 4 });
    expect(eventOf('SWIMMING', '100M')).toBeUndefined();
  });

  test('a discipline with own rules starts with them', () => {
    expect(rankingRulesOf('RUGBY')).toMatchObject({ points: { win: 4, draw: 2, loss: 0 } });
    expect(rankingRulesOf('RUGBY', 'SEVENS')).toMatchObject({ points: { win: 3, draw: 2, loss: 1 } });
    expect(rankingRulesOf('BASKETBALL', '5X5')).toMatchObject({ headToHeadScope: 'RESTART' });
    expect(rankingRulesOf('TENNIS')).toEqual({ method: 'ROLLING_52W', best: 19 });
  });

  test.each(Object.entries(rankingRuleSets))(
    '%s: each criterion occurs once, and a better outcome gives more points',
    (_name, rules) => {
      if (rules.method !== 'TABLE') return;
      expect(repeated(rules.order)).toEqual([]);
      expect(rules.points.win).toBeGreaterThan(rules.points.loss);
    },
  );
});
