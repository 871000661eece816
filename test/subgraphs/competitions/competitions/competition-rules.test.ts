/** Lifecycles and validation of competitions and seasons. */
import { describe, expect, test } from '@jest/globals';
import { competitionViolations, competitionTransitions } from '../../../../subgraphs/competitions/competitions/rules.ts';
import { seasonViolations, seasonTransitions } from '../../../../subgraphs/competitions/seasons/rules.ts';
import type { CompetitionStatus, SeasonStatus } from '../../../../subgraphs/competitions/generated/resolvers.ts';
import { testTransitionTable } from '../../runtime/transition-table.ts';

describe('transitions', () => {
  const competitionStates: CompetitionStatus[] = ['DRAFT', 'PUBLISHED', 'ARCHIVED'];
  testTransitionTable('competition', competitionTransitions, competitionStates, [
    'OWNER DRAFT publish PUBLISHED',
    'OWNER PUBLISHED archive ARCHIVED',
  ]);

  const seasonStates: SeasonStatus[] = ['PLANNED', 'IN_PROGRESS', 'FINISHED', 'ARCHIVED', 'CANCELLED'];
  testTransitionTable('season', seasonTransitions, seasonStates, [
    'OWNER PLANNED start IN_PROGRESS',
    'OWNER IN_PROGRESS finish FINISHED',
    'OWNER FINISHED archive ARCHIVED',
    'OWNER PLANNED cancel CANCELLED',
    'OWNER IN_PROGRESS cancel CANCELLED',
  ]);
});

describe('validation', () => {
  const pointers = (violations: readonly (object | null | false)[]): unknown[] =>
    violations.flatMap((violation) => (violation && 'pointer' in violation ? [violation.pointer] : []));

  test('a valid competition has no violations', () => {
    expect(
      pointers(competitionViolations('FOOTBALL', { discipline: 'FUTSAL', country: 'GB-ENG', organizerName: 'The FA' })),
    ).toEqual([]);
  });

  test('all violations of a competition are reported together', () => {
    const members = { discipline: 'BOXING', organizerId: 'a', organizerName: 'b' };
    expect(pointers(competitionViolations('FOOTBALL', members))).toEqual(['/discipline', '/organizerName']);
  });

  test('a season ends on or after its start date', () => {
    expect(pointers(seasonViolations({ startDate: '2026-01-01', endDate: '2026-01-01' }))).toEqual([]);
    expect(pointers(seasonViolations({ startDate: '2026-01-02', endDate: '2026-01-01' }))).toEqual(['/endDate']);
  });
});
