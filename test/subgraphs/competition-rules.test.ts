/** Competitions and seasons: their state machines and the faults of their members. */
import { describe, expect, test } from '@jest/globals';
import {
  competitionFaults,
  competitionTransitions,
  seasonFaults,
  seasonTransitions,
} from '../../subgraphs/competitions/rules.ts';
import type { CompetitionStatus, SeasonStatus } from '../../subgraphs/competitions/resolvers.generated.ts';
import { walksOnly } from './transition-table.ts';

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
  const pointers = (faults: readonly (object | null | false)[]): unknown[] =>
    faults.flatMap((fault) => (fault && 'pointer' in fault ? [fault.pointer] : []));

  test('a competition in order has no fault', () => {
    expect(pointers(competitionFaults('FOOTBALL', { discipline: 'FUTSAL', country: 'GB-ENG', organizerName: 'The FA' }))).toEqual(
      [],
    );
  });

  test('every fault of a competition is named at once', () => {
    const members = { discipline: 'BOXING', organizerId: 'a', organizerName: 'b' };
    expect(pointers(competitionFaults('FOOTBALL', members))).toEqual(['/discipline', '/organizerName']);
  });

  test('a season lasts a day or more', () => {
    expect(pointers(seasonFaults({ startDate: '2026-01-01', endDate: '2026-01-01' }))).toEqual([]);
    expect(pointers(seasonFaults({ startDate: '2026-01-02', endDate: '2026-01-01' }))).toEqual(['/endDate']);
  });
});
