/** The demo data as rows: deterministic per seed, valid by the areas' rules, without a public minor. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDemoData } from '../../commands/demo/demo-data.ts';
import type { BulkRow } from '../../platform/database/bulk-load.ts';
import { sportNames, type Sport } from '../../schema/sports.ts';
import { athletesSeed } from '../../subgraphs/athletes/demo/seed.ts';
import { athleteViolations } from '../../subgraphs/athletes/athletes/rules.ts';
import { statisticsViolations } from '../../subgraphs/athletes/statistics/rules.ts';
import { competitionViolations } from '../../subgraphs/competitions/competitions/rules.ts';
import { seasonViolations } from '../../subgraphs/competitions/seasons/rules.ts';
import { competitionsSeed } from '../../subgraphs/competitions/demo/seed.ts';
import { opportunityViolations } from '../../subgraphs/opportunities/opportunities/rules.ts';
import { opportunitiesSeed } from '../../subgraphs/opportunities/demo/seed.ts';
import { applicationTransitions, admittedStates } from '../../subgraphs/opportunities/applications/lifecycle.ts';
import type { ApplicationStatus } from '../../subgraphs/opportunities/generated/resolvers.ts';
import { nextState, type Actor } from '../../platform/writes/transition.ts';
import { positionViolations } from '../../subgraphs/runtime/input-violations.ts';
import { organizationViolations } from '../../subgraphs/organizations/organizations/rules.ts';
import { organizationsSeed } from '../../subgraphs/organizations/demo/seed.ts';
import { scoutingSeed } from '../../subgraphs/scouting/demo/seed.ts';
import type { AreaSeed } from '../../subgraphs/runtime/area-seed.ts';

type Rows = Map<string, BulkRow[]>;

/** A row with its JSON parsed, untyped for assertions. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
type Read = Record<string, any>;

function rowsOf(seed: AreaSeed, options: { seed: string; athletes: number }): Rows {
  const platform = createDemoData({ today, ...options });
  const rows: Rows = new Map(seed.tables.map((table) => [table, []]));
  const add = (table: string, row: BulkRow): void => void rows.get(table)?.push(row);
  seed.demo?.(platform, add);
  for (const squad of [...platform.guests(), ...platform.squads()]) seed.squad?.(squad, platform, add);
  return rows;
}

function read(rows: Rows, table: string): Read[] {
  const parsed = (value: unknown): unknown => (typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value);
  return (rows.get(table) ?? []).map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, parsed(value)])),
  );
}

const today = '2026-10-15';

const seeds = {
  athletes: athletesSeed,
  competitions: competitionsSeed,
  opportunities: opportunitiesSeed,
  organizations: organizationsSeed,
  scouting: scoutingSeed,
};
const size = { seed: 'demo', athletes: 2000 };

const grownUpBorn = `${Number(today.slice(0, 4)) - 18}${today.slice(4)}`;
const truthy = (violations: readonly unknown[]): unknown[] => violations.filter(Boolean);

let rows: Record<keyof typeof seeds, Rows>;
beforeAll(() => {
  rows = Object.fromEntries(Object.entries(seeds).map(([area, seed]) => [area, rowsOf(seed, size)])) as typeof rows;
});

describe('the same seed and size', () => {
  test.each(Object.entries(seeds))('give the same rows of %s, another seed others', (_, seed) => {
    const small = { seed: 'a', athletes: 120 };
    expect(rowsOf(seed, small)).toEqual(rowsOf(seed, small));
    expect(rowsOf(seed, small)).not.toEqual(rowsOf(seed, { ...small, seed: 'b' }));
  });

  test.each([1, 24, 130, 2000])('generates exactly %i athletes', (athletes) => {
    const squads = [...createDemoData({ seed: 'demo', athletes, today }).squads()];
    expect(squads.flatMap((squad) => squad.athletes)).toHaveLength(athletes);
  });
});

describe('athletes', () => {
  test('are public only as adults', () => {
    const born = read(rows.athletes, 'athlete');
    const minors = born.filter((athlete) => athlete['dateOfBirth'] > grownUpBorn);
    expect(minors.length).toBeGreaterThan(50);
    expect(new Set(minors.map(({ status }) => status))).toEqual(new Set(['PENDING_CONSENT', 'DRAFT']));
    expect(born.filter((athlete) => athlete['status'] === 'ACTIVE' && athlete['adultFrom'] > today)).toEqual([]);
  });

  test('are valid in their area', () => {
    const accountId = '00000000-0000-4000-8000-000000000000';
    const owned = { version: 1, accountId, status: 'ACTIVE', verified: false, safeguarded: false } as const;
    const institutions = new Map(
      read(rows.organizations, 'organization').map(({ id }) => [String(id), { id: String(id), ...owned }]),
    );
    const writing = { today, accountId, institutions };
    const violations = read(rows.athletes, 'athlete').flatMap((athlete) => truthy(athleteViolations(athlete, writing)));
    expect(violations).toEqual([]);
  });

  test('spread over all sports, football first, most of them about 21', () => {
    const bySport = Map.groupBy(read(rows.athletes, 'athlete_sport'), ({ sport }) => sport as Sport);
    expect([...bySport.keys()].sort()).toEqual([...sportNames].sort());
    expect([...bySport].sort(([, a], [, b]) => b.length - a.length)[0]?.[0]).toBe('FOOTBALL');
    const ages = read(rows.athletes, 'athlete').map(
      ({ dateOfBirth }) => (Date.parse(today) - Date.parse(dateOfBirth as string)) / 31_556_952_000,
    );
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...ages)).toBeLessThan(39);
    expect([...ages].sort((a, b) => a - b)[1000]).toBeCloseTo(22.5, -0.5);
  });

  test('have statistics within the registry, one row a season and event', () => {
    const statistics = read(rows.athletes, 'statistics');
    expect(statistics.length).toBeGreaterThan(1500);
    const violations = statistics.flatMap((row) =>
      truthy(statisticsViolations(row as Parameters<typeof statisticsViolations>[0])).map((violation) => [
        row['sport'],
        violation,
      ]),
    );
    expect(violations).toEqual([]);
    expect(new Set(statistics.map((row) => [row['athleteId'], row['seasonId'], row['eventCode']].join())).size).toBe(
      statistics.length,
    );
    expect([...new Set(statistics.map(({ sport }) => sport as Sport))].sort()).toEqual([...sportNames].sort());
  });
});

describe('organizations, competitions and opportunities', () => {
  test('are valid in their areas', () => {
    const members = read(rows.organizations, 'membership').flatMap(({ sport, positions }) =>
      truthy(positionViolations('/positions', sport as Sport, positions as string[])),
    );
    const organizations = read(rows.organizations, 'organization').flatMap((row) =>
      truthy(organizationViolations(row['type'], row)),
    );
    const competitions = read(rows.competitions, 'competition').flatMap((row) =>
      truthy(competitionViolations(row['sport'], row)),
    );
    const seasons = read(rows.competitions, 'season').flatMap((row) =>
      truthy(seasonViolations(row as { startDate: string; endDate: string })),
    );
    const opportunities = read(rows.opportunities, 'opportunity').flatMap((row) =>
      truthy(opportunityViolations(row['type'], row['sport'], row)),
    );
    expect([...members, ...organizations, ...competitions, ...seasons, ...opportunities]).toEqual([]);
    expect(new Set(read(rows.opportunities, 'opportunity').map(({ type }) => type)).size).toBe(4);
  });

  test('applications follow valid transitions, fit their opportunity, and do not exceed its openings', () => {
    const applications = read(rows.opportunities, 'application');
    expect(new Set(applications.map(({ status }) => status)).size).toBe(14);
    const opportunities = new Map(read(rows.opportunities, 'opportunity').map((row) => [row['id'], row]));
    const athletes = new Map(read(rows.athletes, 'athlete').map((row) => [row['id'], row]));
    const steps = Map.groupBy(read(rows.opportunities, 'history'), ({ resourceId }) => resourceId);
    for (const application of applications) {
      const { id, status, version, opportunityId, athleteId, createdAt, updatedAt } = application;
      const [opportunity = {}, athlete = {}] = [opportunities.get(opportunityId), athletes.get(athleteId)];
      expect(athlete).toMatchObject({ status: 'ACTIVE', sex: opportunity['sex'] ?? athlete['sex'] });
      expect(athlete['adultFrom'] <= today && createdAt > opportunity['createdAt'] && updatedAt < `${today}T00`).toBe(true);
      const history = steps.get(id) ?? [];
      expect(history.map((step) => step['version'])).toEqual(Array.from({ length: version }, (_, index) => index + 1));
      expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).toSorted());
      let reached: ApplicationStatus = 'DRAFT';
      for (const { action } of history.slice(1)) {
        const actors: Actor[] = action === 'expire' ? ['TIMER'] : ['OWNER', 'COUNTERPART'];
        reached = nextState<ApplicationStatus, string>(applicationTransitions, action, reached, actors);
      }
      expect(reached).toBe(status);
    }
    expect(new Set(applications.map(({ opportunityId, athleteId }) => `${opportunityId} ${athleteId}`)).size).toBe(
      applications.length,
    );
    for (const [id, { totalOpenings, remainingOpenings, status }] of opportunities) {
      const taken = applications.filter((each) => each['opportunityId'] === id && admittedStates.includes(each['status'])).length;
      expect({ id, remainingOpenings }).toEqual({ id, remainingOpenings: Number(totalOpenings) - taken });
      expect(status === 'FILLED').toBe(remainingOpenings === 0);
    }
  });

  test('shortlists contain public athletes, with a contact request where the stage requires one', () => {
    const entries = read(rows.scouting, 'shortlist_entry');
    expect(new Set(entries.map(({ stage }) => stage)).size).toBe(9);
    const athletes = new Map(read(rows.athletes, 'athlete').map((row) => [row['id'], row]));
    const requests = new Map(read(rows.scouting, 'contact_request').map((row) => [row['athleteId'], row]));
    for (const { athleteId, stage } of entries) {
      const athlete = athletes.get(athleteId) ?? {};
      expect(athlete).toMatchObject({ status: 'ACTIVE', visibility: 'PUBLIC' });
      expect(athlete['adultFrom'] <= today).toBe(true);
      if (stage === 'CONTACTED') expect(['SENT', 'ACCEPTED']).toContain(requests.get(athleteId)?.['status']);
    }
    expect(new Set([...requests.values()].map(({ status }) => status)).size).toBe(4);
    const entryIds = new Set(entries.map(({ id }) => id));
    expect(read(rows.scouting, 'scouting_report').every(({ entryId, date }) => entryIds.has(entryId) && date <= today)).toBe(
      true,
    );
  });

  test('participants of a season are teams or athletes of the demo data', () => {
    const ids = new Set([...read(rows.organizations, 'team'), ...read(rows.athletes, 'athlete')].map(({ id }) => id));
    const entered = read(rows.competitions, 'participant').flatMap((row) => [
      row['teamId'],
      row['athleteId'],
      row['representsTeamId'],
    ]);
    expect(entered.filter((id) => id !== null && !ids.has(id))).toEqual([]);
    const teams = read(rows.competitions, 'participant').filter(({ type }) => type === 'TEAM');
    expect(teams.filter(({ teamId }) => teamId === null)).toEqual([]);
    expect(teams.length).toBeGreaterThan(80);
  });

  test('an athlete has one permanent membership in a sport', () => {
    const permanent = read(rows.organizations, 'membership').filter(
      ({ type, athleteId }) => type === 'PERMANENT' && athleteId !== null,
    );
    expect(new Set(permanent.map(({ athleteId, sport }) => `${athleteId}/${sport}`)).size).toBe(permanent.length);
    expect(permanent.length).toBeGreaterThan(1000);
  });

  test('minors are invited only by verified organizations with a safeguarding officer', () => {
    const safe = new Set(
      read(rows.organizations, 'organization')
        .filter((row) => row['safeguarding'] && row['verification'].status === 'VERIFIED')
        .map(({ id }) => id),
    );
    const inviting = read(rows.opportunities, 'opportunity').filter(({ minorsAllowed }) => minorsAllowed === true);
    expect(inviting.length).toBeGreaterThan(0);
    expect(inviting.filter(({ organizationId }) => !safe.has(organizationId))).toEqual([]);
  });
});

test('creation times are within the two years before the reference day', () => {
  const first = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`;
  const created = Object.values(rows)
    .flatMap((tables) => [...tables.values()].flat())
    .flatMap(({ createdAt }) => (typeof createdAt === 'string' ? [createdAt] : []));
  expect(created.filter((at) => at < first || at.slice(0, 10) > today)).toEqual([]);
});
