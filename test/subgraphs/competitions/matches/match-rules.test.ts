/** States and times of matches. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchTransitions, openMatchStatuses } from '../../../../subgraphs/competitions/matches/rules.ts';
import { startOfDay, dateAt, timeViolations, timesOf } from '../../../../subgraphs/competitions/matches/match-time.ts';
import type { MatchStatus } from '../../../../subgraphs/competitions/generated/resolvers.ts';
import { testTransitionTable } from '../../runtime/transition-table.ts';

const states: readonly MatchStatus[] = [...openMatchStatuses, 'FINISHED', 'ABANDONED', 'CANCELLED', 'AWARDED'];

describe('the transitions of a match', () => {
  testTransitionTable('match', matchTransitions, states, [
    'OWNER SCHEDULED schedule TIMED',
    'OWNER TIMED schedule TIMED',
    'OWNER POSTPONED schedule TIMED',
    'OWNER SCHEDULED start IN_PLAY',
    'OWNER TIMED start IN_PLAY',
    'OWNER IN_PLAY pause PAUSED',
    'OWNER EXTRA_TIME pause PAUSED',
    'OWNER PAUSED resume IN_PLAY',
    'OWNER SUSPENDED resume IN_PLAY',
    'OWNER IN_PLAY extra-time EXTRA_TIME',
    'OWNER PAUSED extra-time EXTRA_TIME',
    'OWNER IN_PLAY shootout PENALTY_SHOOTOUT',
    'OWNER PAUSED shootout PENALTY_SHOOTOUT',
    'OWNER EXTRA_TIME shootout PENALTY_SHOOTOUT',
    ...['IN_PLAY', 'PAUSED', 'EXTRA_TIME', 'PENALTY_SHOOTOUT'].flatMap((state) => [
      `OWNER ${state} finish FINISHED`,
      `OWNER ${state} suspend SUSPENDED`,
    ]),
    'OWNER SCHEDULED postpone POSTPONED',
    'OWNER TIMED postpone POSTPONED',
    'OWNER SUSPENDED abandon ABANDONED',
    ...['SCHEDULED', 'TIMED', 'POSTPONED', 'SUSPENDED'].map((state) => `OWNER ${state} cancel CANCELLED`),
    ...['SCHEDULED', 'TIMED', 'POSTPONED', 'SUSPENDED', 'ABANDONED', 'FINISHED'].map((state) => `OWNER ${state} award AWARDED`),
  ]);
});

describe('the date of a match', () => {
  test.each([
    ['2026-11-21T23:30:00Z', null, '2026-11-21'],
    ['2026-11-21T23:30:00Z', 'Europe/Madrid', '2026-11-22'],
    ['2026-11-21T02:30:00Z', 'America/New_York', '2026-11-20'],
    ['2026-11-21T10:30:00Z', 'Pacific/Kiritimati', '2026-11-22'],
  ])('a start at %s in %s is on %s', (moment, zone, day) => {
    expect(dateAt(moment, zone)).toBe(day);
  });

  test.each([
    ['2026-11-21', null, '2026-11-21T00:00:00.000Z'],
    ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
    // Daylight saving time ends at 03:00 on this date.
    ['2026-04-05', 'Australia/Sydney', '2026-04-04T13:00:00.000Z'],
    // Daylight saving time starts at 00:00: the date starts at 01:00.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s starts at %s', (day, zone, moment) => {
    expect(startOfDay(day, zone)).toBe(moment);
  });

  test('the start of a date is on that date, and the instant before is on the previous date', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Cairo', 'UTC');
    const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, days, (zone, date) => {
        const day = dateAt(date.toISOString(), zone);
        const begins = startOfDay(day, zone);
        expect(dateAt(begins, zone)).toBe(day);
        expect(dateAt(new Date(Date.parse(begins) - 1000).toISOString(), zone) < day).toBe(true);
      }),
    );
  });

  test('the year must be in the accepted range', () => {
    const codes = (date: string | null, startTime: string | null) =>
      timeViolations({ date, startTime, timeZone: 'Europe/Madrid' }).flatMap((violation) =>
        violation ? [`${violation.pointer ?? ''} ${violation.code}`] : [],
      );
    expect(codes('0050-01-01', null)).toEqual(['/date out_of_range']);
    expect(codes(null, '9999-12-31T23:00:00Z')).toEqual(['/startTime out_of_range']);
    expect(codes('1896-04-06', '1896-04-06T12:00:00Z')).toEqual([]);
    expect(timesOf({ date: null, startTime: null, timeZone: 'Asia/Tokyo' }, '0001-01-01').startsAt).toBe(
      '0001-01-01T00:00:00.000Z',
    );
  });

  test('without a time zone, the date may be one day before or after the UTC date', () => {
    const at = (date: string) =>
      timeViolations({ date, startTime: '2026-11-21T23:30:00Z', timeZone: null }).filter((violation) => violation);
    expect([at('2026-11-20'), at('2026-11-21'), at('2026-11-22')]).toEqual([[], [], []]);
    expect(at('2026-11-23')).toEqual([expect.objectContaining({ code: 'not_that_day' })]);
  });
});
