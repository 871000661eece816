/** The seasons of the demo data: deterministic per seed, consistent with the reference day and with their own scores. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { roundRobin } from '../../commands/demo/fixtures.ts';
import { addDays, momentAt, saturdayBefore, yearsBefore } from '../../commands/demo/moments.ts';
import { createDemoData } from '../../commands/demo/demo-data.ts';
import type { DemoEdition } from '../../schema/demo-edition.ts';
import { demoSportNames } from '../../commands/demo/sports.ts';
import { competitionsSeed } from '../../subgraphs/competitions/demo/seed.ts';
import { isShown } from '../../subgraphs/runtime/area-seed.ts';

const athletes = 600;
const editionsOn = (today: string, seed = 'demo'): DemoEdition[] => [...createDemoData({ seed, athletes, today }).editions()];

describe('a round robin', () => {
  test('pairs every two sides at home and away, and each side plays once a matchday', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 21 }), (count) => {
        const fixtures = roundRobin(Array.from({ length: count }, (_, index) => index));
        const pairs = fixtures.map(({ home, away }) => `${home} ${away}`);
        expect(new Set(pairs).size).toBe(count * (count - 1));
        expect(fixtures.filter(({ home, away }) => home === away)).toEqual([]);
        for (const matchday of Map.groupBy(fixtures, (fixture) => fixture.matchday).values()) {
          const sides = matchday.flatMap(({ home, away }) => [home, away]);
          expect(new Set(sides).size).toBe(2 * Math.floor(count / 2));
          expect(sides).toHaveLength(2 * Math.floor(count / 2));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('gives every side at most three matches in a row at home', () => {
    const fixtures = roundRobin(Array.from({ length: 10 }, (_, index) => index));
    for (let side = 0; side < 10; side += 1) {
      const own = fixtures
        .filter(({ home, away }) => home === side || away === side)
        .map(({ home }) => (home === side ? 'H' : 'A'));
      expect(own.join('')).not.toMatch(/HHHH|AAAA/);
    }
  });
});

test('days and moments follow the calendar and the local time zone', () => {
  expect(yearsBefore('2028-02-29', 2)).toBe('2026-02-28');
  expect(yearsBefore('2028-02-29', 4)).toBe('2024-02-29');
  expect(['2026-11-20', '2026-11-21', '2026-11-22'].map(saturdayBefore)).toEqual(['2026-11-14', '2026-11-14', '2026-11-21']);
  expect(momentAt('2026-07-01', '20:00', 'Europe/Berlin')).toBe('2026-07-01T18:00:00.000Z');
  expect(momentAt('2026-12-01', '20:00', 'America/New_York')).toBe('2026-12-02T01:00:00.000Z');
});

test('the same seed gives the same seasons, with the same ids on another day, and another seed others', () => {
  const idsOf = (editions: readonly DemoEdition[]) => editions.map(({ season }) => season.id);
  expect(editionsOn('2026-11-21')).toEqual(editionsOn('2026-11-21'));
  expect(idsOf(editionsOn('2026-11-21'))).toEqual(idsOf(editionsOn('2027-02-03')));
  expect(idsOf(editionsOn('2026-11-21'))).not.toEqual(idsOf(editionsOn('2026-11-21', 'other')));
});

const days = ['2026-11-21', '2026-11-22', '2026-12-31', '2027-01-01', '2027-06-30', '2028-02-29'];

describe.each(days)('on %s', (today) => {
  const editions = editionsOn(today);
  const midnight = `${today}T00:00:00.000Z`;

  test('every sport has a season in progress, with played and scheduled matches', () => {
    for (const sport of demoSportNames) {
      const current = editions.filter(
        ({ competition, season }) => competition.sport === sport && season.status === 'IN_PROGRESS',
      );
      expect({ sport, seasons: current.length > 0 }).toEqual({ sport, seasons: true });
      for (const { season, matches } of current) {
        expect(season.startDate <= today && today <= season.endDate).toBe(true);
        const statuses = new Set(matches.map(({ status }) => status));
        expect([sport, statuses.has('FINISHED'), statuses.has('TIMED')]).toEqual([sport, true, true]);
      }
    }
  });

  test('finished matches are in the past, and open ones in the future', () => {
    for (const { season, matches } of editions) {
      for (const { status, date, startTime, result } of matches) {
        expect(date >= season.startDate && date <= season.endDate).toBe(true);
        expect(result !== undefined).toBe(status === 'FINISHED');
        if (status === 'FINISHED') expect(result?.at.localeCompare(midnight)).not.toBe(1);
        // in time zones that are a day behind, the evening has just started
        if (status === 'TIMED') expect(date >= addDays(today, -1) && (startTime ?? '') > addDays(today, -1)).toBe(true);
        if (status === 'SCHEDULED') expect([startTime, date > today]).toEqual([null, true]);
      }
    }
  });

  test('rows are generated without errors', () => {
    const rows = new Map<string, number>();
    const platform = createDemoData({ seed: 'demo', athletes, today });
    competitionsSeed.demo?.(platform, (table) => void rows.set(table, (rows.get(table) ?? 0) + 1));
    expect([...rows.keys()].sort()).toEqual([...competitionsSeed.tables].sort());
  });
});

describe('matches', () => {
  const editions = editionsOn('2026-11-21');
  const matches = editions.flatMap((edition) => edition.matches.map((match) => ({ ...match, sport: edition.competition.sport })));

  test('have actions that add up to their score, in the order of play', () => {
    const scored = matches.filter(({ actions = [] }) => actions.some(({ scoreAfter }) => scoreAfter !== null));
    expect(new Set(scored.map(({ sport }) => sport)).size).toBe(5);
    for (const { entries, actions = [] } of scored) {
      const last = actions.findLast(({ scoreAfter }) => scoreAfter !== null)?.scoreAfter;
      expect(last).toEqual(entries.map(({ part }) => part?.score));
      const keys = actions.map(({ period, minute, id }) =>
        [String(period).padStart(2), String(minute ?? 0).padStart(3), id].join(),
      );
      expect(keys).toEqual([...keys].sort());
    }
  });

  test('team sheets name members of the team once, and actions name athletes on a team sheet', () => {
    for (const { entries, actions = [] } of matches) {
      const players = entries.flatMap(({ lineup = [] }) => lineup.map(({ athleteId }) => athleteId));
      expect(new Set(players).size).toBe(players.length);
      const named = actions.flatMap(({ athleteId, assistId }) => [athleteId, assistId].filter((id) => id !== null));
      expect(named.filter((id) => !players.includes(id))).toEqual([]);
      for (const { lineup = [] } of entries)
        expect(new Set(lineup.map(({ shirtNumber }) => shirtNumber)).size).toBe(lineup.length);
    }
  });

  test('include postponements, a provisional and a corrected result, a points deduction, a withdrawal, a disqualification', () => {
    const current = editions.filter(({ season }) => season.status === 'IN_PROGRESS');
    const statuses = current.flatMap((edition) => edition.matches.map(({ result }) => result?.status));
    expect(new Set(statuses)).toEqual(new Set(['OFFICIAL', 'PROVISIONAL', 'CORRECTED', undefined]));
    const invalid = matches.flatMap(({ entries }) => entries.flatMap(({ part }) => part?.invalidResultMark ?? []));
    expect(current.flatMap((edition) => edition.matches).some(({ status }) => status === 'POSTPONED')).toBe(true);
    for (const mark of ['DNS', 'DNF', 'DSQ'] as const) expect(invalid).toContain(mark);
    const adjusted = current.flatMap(({ adjustments }) => adjustments);
    expect(adjusted.some(({ points }) => points !== undefined) && adjusted.some(({ timeMs }) => timeMs !== undefined)).toBe(true);
  });
});

test('individual events have public adults only; team sheets may have others', () => {
  const platform = createDemoData({ seed: 'demo', athletes, today: '2026-11-21' });
  const athletesById = new Map(
    [...platform.squads()].flatMap((squad) => squad.athletes.map((athlete) => [athlete.id, athlete] as const)),
  );
  const editions = [...platform.editions()];
  const entered = editions.flatMap(({ participants }) =>
    participants.flatMap(({ athleteId, memberIds = [] }) => [...(athleteId === undefined ? [] : [athleteId]), ...memberIds]),
  );
  expect(entered.length).toBeGreaterThan(100);
  const hidden = entered.filter((id) => {
    const athlete = athletesById.get(id);
    return !athlete || !isShown(athlete);
  });
  expect(hidden).toEqual([]);
  const players = editions.flatMap(({ matches }) =>
    matches.flatMap(({ entries }) =>
      entries.flatMap(({ lineup = [] }) => lineup.map(({ athleteId }) => athletesById.get(athleteId))),
    ),
  );
  const joinedLater = editions.flatMap(({ competition, matches }) =>
    competition.type !== 'LEAGUE'
      ? []
      : matches.flatMap(({ date, entries }) =>
          entries
            .flatMap(({ lineup = [] }) => lineup)
            .filter(({ athleteId }) => (athletesById.get(athleteId)?.membership?.startDate ?? date) > date),
        ),
  );
  expect(joinedLater).toEqual([]);
  expect(players.filter((player) => !player || player.age < 18)).toEqual([]);
  expect(players.some((player) => player && !isShown(player))).toBe(true);
});
