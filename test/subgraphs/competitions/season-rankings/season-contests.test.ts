/** Rankings of contests and whole seasons from facts: by mark, time, points and rating. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets } from '../../../../schema/ranking-rules.ts';
import { facts, game, part, participant, race, ranking, stageFact, standing } from './season-facts.ts';

describe('a contest of marks', () => {
  const stages = [
    stageFact('heats', 'HEATS', {
      ordinal: 1,
      advancement: [
        { by: 'PLACE', count: 1, toStageId: 'final' },
        { by: 'MARK', count: 1, toStageId: 'final' },
      ],
    }),
    stageFact('off', 'SWIM_OFF', { ordinal: 2 }),
    stageFact('final', 'FINAL', { ordinal: 3 }),
  ];
  const contests = [{ id: 'contest', eventCode: '100_FREE' }];
  const heats = [race('h1', 'heats', { A: 49000, B: 50000, C: 52000 }), race('h2', 'heats', { D: 48000, E: 50000, F: 'DSQ' })];

  test('is ranked by stage over all heats and as a whole, with finals before heats; swim-offs decide advancement', () => {
    const tied = facts({ sport: 'SWIMMING', contests, stages, matches: heats });
    expect(standing(ranking(tied, { stageId: 'heats' }).rows)).toBe('1 D, 2 A, 3= B, 3= E, 5 C, - F');
    expect(ranking(tied, { stageId: 'heats' }).rows.map(({ qualified }) => qualified)).toEqual([
      true,
      true,
      null,
      null,
      false,
      false,
    ]);
    const over = facts({
      sport: 'SWIMMING',
      contests,
      stages,
      matches: [...heats, race('off', 'off', { B: 51000, E: 49500 }), race('f', 'final', { A: 48500, D: 48600, E: 'DNS' })],
    });
    expect(standing(ranking(over, { stageId: 'heats' }).rows)).toBe('1 D, 2 A, 3 E, 4 B, 5 C, - F');
    expect(ranking(over, { stageId: 'heats' }).rows.map(({ separatedBy, qualified }) => [separatedBy, qualified])).toEqual([
      [null, true],
      [null, true],
      ['SWIM_OFF', true],
      ['SWIM_OFF', false],
      [null, false],
      [null, false],
    ]);
    const whole = ranking(over, { stageId: null });
    expect(standing(whole.rows)).toBe('1 A, 2 D, 3 B, 4 C, - F, - E');
    expect(whole.rows[1]).toMatchObject({ mark: { value: 48600, unit: 'ms' }, gap: 100, matchId: 'f' });
    expect(whole.rows[2]).toMatchObject({ gap: null, matchId: 'h1' });
  });

  test('keeps a vacated place vacant, and compares marks in the direction of the event', () => {
    const jumps = race(
      'f',
      'final',
      {
        A: 8950,
        B: { mark: { value: 9000, unit: 'mm' }, vacated: true },
        C: { mark: { value: 8900, unit: 'mm' }, windMmPerS: 2500 },
      },
      {},
      'mm',
    );
    const { rows } = ranking(
      facts({
        sport: 'ATHLETICS',
        contests: [{ id: 'contest', eventCode: 'LONG_JUMP' }],
        stages: [stageFact('final', 'FINAL')],
        matches: [jumps],
      }),
      { stageId: 'final' },
    );
    expect(standing(rows)).toBe('1 B, 2 A, 3 C');
    expect(rows[0]).toMatchObject({ vacated: true, mark: null, gap: null });
    expect(rows[2]).toMatchObject({ windAssisted: true, gap: 100 });
  });

  test('without marks is ranked by place', () => {
    const keirin = race('f', 'final', { A: { rank: 2 }, B: { rank: 1 }, C: 'DNF' });
    const { rows } = ranking(
      facts({
        sport: 'CYCLING',
        contests: [{ id: 'contest', eventCode: 'KEIRIN' }],
        stages: [stageFact('final', 'FINAL')],
        matches: [keirin],
      }),
      { stageId: null },
    );
    expect(standing(rows)).toBe('1 B, 2 A, - C');
    expect(rows[0]).toMatchObject({ mark: null });
  });
});

describe('a race over stages', () => {
  const stages = [stageFact('s1', 'RACE_STAGE', { ordinal: 1 }), stageFact('s2', 'RACE_STAGE', { ordinal: 2 })];
  const riders = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
  const participants = [
    ...riders.map((id) =>
      participant(id, {
        type: 'ATHLETE',
        representsTeamId: 'ABC'.includes(id) ? 'red' : 'blue',
        entry: 'BD'.includes(id) ? 'YOUTH' : null,
      }),
    ),
    participant('reds', { teamId: 'red' }),
    participant('blues', { teamId: 'blue' }),
  ];
  const timed = (seconds: number, rank: number, of = {}) => ({
    mark: { value: seconds * 1000, unit: 'ms' as const },
    rank,
    ...of,
  });
  const climb = (points: number) => ({
    bonusPoints: [
      { type: 'CLIMB_HC:Tourmalet', points },
      { type: 'SPRINT', points: 3 },
    ],
  });
  const first = race('m1', 's1', {
    A: timed(100, 1, { points: 50 }),
    B: timed(110, 2, { points: 30, ...climb(20) }),
    C: timed(120, 3),
    D: timed(130, 4, climb(10)),
    E: timed(140, 5),
    F: timed(150, 6),
    G: timed(160, 7),
  });
  const second = race('m2', 's2', {
    A: timed(130, 3),
    B: timed(100, 1, { points: 20, bonusMs: 10000 }),
    C: timed(140, 5),
    D: timed(120, 2),
    E: timed(135, 4),
    F: timed(150, 6),
    G: 'DNF',
  });
  const tour = facts({ sport: 'CYCLING', stages, participants, matches: [first, second] });
  const visible = (classification: 'GC' | 'POINTS' | 'MOUNTAINS' | 'YOUTH' | 'TEAM') =>
    standing(ranking(tour, { classification }).rows);

  test('has the classifications of its rules, with the positions before the last stage', () => {
    expect(visible('GC')).toBe('1 B, 2 A, 3 D, 4 C, 5 E, 6 F, - G');
    expect(ranking(tour, { classification: 'GC' }).rows.slice(0, 2)).toMatchObject([
      { previousPosition: 2, mark: { value: 200000 }, gap: 0 },
      { previousPosition: 1, mark: { value: 230000 }, gap: 30000 },
    ]);
    expect(ranking(tour, { classification: 'GC' }).rows.at(-1)).toMatchObject({
      participantId: 'G',
      invalidResultMark: 'DNF',
      previousPosition: 7,
    });
    expect(visible('POINTS')).toBe('1 B, 2 A, 3 D');
    expect(visible('MOUNTAINS')).toBe('1 B, 2 D');
    expect(visible('YOUTH')).toBe('1 B, 2 D');
    expect(visible('TEAM')).toBe('1 reds, 2 blues');
  });

  test('counts added time, and sums points if the rules do', () => {
    const adjustment = {
      stageId: 's2',
      participantId: 'B',
      points: null,
      timeMs: 60_000,
      reason: 'Feeding',
      createdAt: '2026-08-01T00:00:00.000Z',
    };
    expect(standing(ranking({ ...tour, adjustments: [adjustment] }, { classification: 'GC' }).rows).slice(0, 8)).toBe('1 A, 2 D');
    const season = { ...tour.season, rankingRules: { method: 'POINTS_BEST_N', best: 1 } as const };
    const { rows } = ranking({ ...tour, season });
    expect(standing(rows)).toBe('1 A, 2 B');
    expect(rows[1]?.countingResults).toEqual([{ matchId: 'm1', points: 30, from: '2026-08-01', dropsOn: null }]);
  });
});

describe('a season as a whole', () => {
  test('is ranked by ratings over all its matches', () => {
    const season = { ...facts({}).season, rankingRules: { method: 'ELO', start: 1500, factor: 32 } as const };
    const matches = [game('1', 'A 1-0 B'), game('2', 'A 1-0 B', { startsAt: '2026-08-02T12:00:00.000Z' })].map((match) => ({
      ...match,
      entries: match.entries.map((entry) => ({
        ...entry,
        part: part(entry.participantId ?? '', { outcome: entry.part?.score === 1 ? 'WIN' : 'LOSS' }),
      })),
    }));
    const { rows } = ranking(facts({ season, matches }), { method: 'ELO' });
    expect(rows).toMatchObject([
      { participantId: 'A', points: 1531, matchesPlayed: 2, previousPosition: 1 },
      { participantId: 'B', points: 1469 },
    ]);
  });

  test('adds the points of one athlete over all contests', () => {
    const contests = ['one', 'two'].map((id) => ({ id, eventCode: '100M' }));
    const stages = contests.map(({ id }) => stageFact(`${id} final`, 'FINAL', { contestId: id }));
    const participants = [
      participant('p1', { athleteId: 'Ann', contestId: 'one' }),
      participant('p2', { athleteId: 'Ann', contestId: 'two' }),
      participant('p3', { athleteId: 'Bea', contestId: 'one' }),
    ];
    const matches = [
      race('1', 'one final', { p1: { points: 5 }, p3: { points: 8 } }, { contestId: 'one' }),
      race('2', 'two final', { p2: { points: 5 } }, { contestId: 'two' }),
    ];
    const season = {
      ...facts({}).season,
      sport: 'ATHLETICS',
      rankingRules: { method: 'POINTS_BEST_N', best: rankingRuleSets.TENNIS.best },
    } as const;
    expect(standing(ranking(facts({ season, contests, stages, participants, matches }), { method: 'POINTS_BEST_N' }).rows)).toBe(
      '1 p2, 2 p3',
    );
  });
});
