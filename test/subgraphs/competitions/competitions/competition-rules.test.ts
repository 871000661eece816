/** Competitions and seasons: their state machines and the faults of their members. */
import { describe, expect, test } from '@jest/globals';
import { competitionViolations, competitionTransitions } from '../../../../subgraphs/competitions/competitions/rules.ts';
import { seasonViolations, seasonTransitions } from '../../../../subgraphs/competitions/seasons/rules.ts';
import type { CompetitionStatus, SeasonStatus } from '../../../../subgraphs/competitions/resolvers.generated.ts';
import { walksOnly } from '../../runtime/transition-table.ts';

describe('transitions', () => {
  const competitionStates: CompetitionStatus[] = ['DRAFT', 'PUBLISHED', 'ARCHIVED'];
  walksOnly('competition', competitionTransitions, competitionStates, [
    'OWNER DRAFT publish PUBLISHED',
    'OWNER PUBLISHED archive ARCHIVED',
  ]);

  const seasonStates: SeasonStatus[] = ['PLANNED', 'IN_PROGRESS', 'FINISHED', 'ARCHIVED', 'CANCELLED'];
  walksOnly('season', seasonTransitions, seasonStates, [
    'OWNER PLANNED start IN_PROGRESS',
    'OWNER IN_PROGRESS finish FINISHED',
    'OWNER FINISHED archive ARCHIVED',
    'OWNER PLANNED cancel CANCELLED',
    'OWNER IN_PROGRESS cancel CANCELLED',
  ]);
});

describe('members', () => {
  const pointers = (violations: readonly (object | null | false)[]): unknown[] =>
    violations.flatMap((violation) => (violation && 'pointer' in violation ? [violation.pointer] : []));

  test('a competition in order has no fault', () => {
    expect(
      pointers(competitionViolations('FOOTBALL', { discipline: 'FUTSAL', country: 'GB-ENG', organizerName: 'The FA' })),
    ).toEqual([]);
  });

  test('every fault of a competition is named at once', () => {
    const members = { discipline: 'BOXING', organizerId: 'a', organizerName: 'b' };
    expect(pointers(competitionViolations('FOOTBALL', members))).toEqual(['/discipline', '/organizerName']);
  });

  test('a season lasts a day or more', () => {
    expect(pointers(seasonViolations({ startDate: '2026-01-01', endDate: '2026-01-01' }))).toEqual([]);
    expect(pointers(seasonViolations({ startDate: '2026-01-02', endDate: '2026-01-01' }))).toEqual(['/endDate']);
  });
});
