/** Brackets: rounds, the champion, violations, and the knock-out rounds of a World Cup. */
import { describe, expect, test } from '@jest/globals';
import type { BracketMatch, MatchSlot } from '../../../../subgraphs/competitions/rankings/bracket-links.ts';
import { readBracket, type Bracket } from '../../../../subgraphs/competitions/rankings/bracket.ts';
import { readData } from '../../../open-data.ts';
import { loserOf, match, read, winnerOf } from './matches.ts';

const summaryOf = ({ rounds }: Bracket): string[] =>
  rounds.map(({ ties }) => ties.map(({ tieId, advancedId, decidedBy }) => `${tieId} ${advancedId} ${decidedBy}`).join(' | '));

const four = [
  match('final', winnerOf('s1'), winnerOf('s2'), [0, 1]),
  match('third', loserOf('s1'), loserOf('s2'), [2, 0]),
  match('s2', 'C', 'D', [1, 0]),
  match('s1', 'A', 'B', [3, 2]),
];

describe('a bracket', () => {
  test('has rounds, a champion and a third place', () => {
    const bracket = read(four);
    expect(summaryOf(bracket)).toEqual(['s1 A SCORE | s2 C SCORE', 'final C SCORE | third B SCORE']);
    expect(bracket).toMatchObject({ championId: 'C', runnerUpId: 'A', thirdPlaceId: 'B', fourthPlaceId: 'D', conflicts: [] });
    expect(bracket.rounds[1]?.ties.map(({ kind, position }) => [kind, position])).toEqual([
      ['MAIN', 1],
      ['THIRD_PLACE', 2],
    ]);
  });

  test('in progress contains the known participants and no champion', () => {
    const open = four.map((each) => (each.matchId === 's1' ? { ...each, result: null } : each));
    const bracket = read(open);
    expect(summaryOf(bracket)).toEqual(['s1 null null | s2 C SCORE', 'final null null | third null null']);
    expect(bracket.rounds[1]?.ties[0]?.slots.map(({ participantId }) => participantId)).toEqual([null, 'C']);
    expect(bracket.championId).toBeNull();
  });

  test('a direct entry is in the round it enters, and a bye advances without a match', () => {
    const bracket = read([
      match('q', 'B', 'C', [1, 0], { round: 'Quarter-finals' }),
      match('bye', 'D', { bye: true }, null, { round: 'Quarter-finals' }),
      match('s1', { participantId: 'A', seed: 1 }, winnerOf('q'), [1, 0], { round: 'Semi-finals' }),
      match('s2', winnerOf('bye'), 'E', [1, 0], { round: 'Semi-finals' }),
      match('f', winnerOf('s1'), winnerOf('s2'), [1, 0]),
    ]);
    expect(summaryOf(bracket)).toEqual(['q B SCORE | bye D BYE', 's1 A SCORE | s2 D SCORE', 'f A SCORE']);
    expect(bracket.rounds.map(({ name }) => name)).toEqual(['Quarter-finals', 'Semi-finals', null]);
    expect(bracket.rounds[1]?.ties[0]?.slots[0].seed).toBe(1);
  });

  test('two legs are one tie, whichever leg is the source of the next match, and the rules of the stage apply', () => {
    const legs = [
      match('s1a', 'A', 'B', [1, 0], { tieId: 's1', leg: 1, stageId: 'two' }),
      match('s1b', 'B', 'A', [2, 1], { tieId: 's1', leg: 2, stageId: 'two' }),
      match('s2', 'C', 'D', [1, 0]),
      match('fa', winnerOf('s1b'), winnerOf('s2'), [1, 0], { tieId: 'f', leg: 1, stageId: 'series' }),
      match('fb', winnerOf('s2'), winnerOf('s1b'), [0, 1], { tieId: 'f', leg: 2, stageId: 'series' }),
    ];
    const rulesOf = (stageId: string | null) =>
      stageId === 'two' ? ({ legs: 2, awayGoals: true } as const) : { legs: 1 as const, bestOf: stageId === 'series' ? 3 : 1 };
    const bracket = read(legs, rulesOf);
    expect(summaryOf(bracket)).toEqual(['s1 A AWAY_GOALS | s2 C SCORE', 'f A SERIES']);
    expect(bracket.rounds[1]?.ties[0]).toMatchObject({ matchIds: ['fa', 'fb'], wins: [2, 0], aggregate: [2, 0] });
  });

  test('a later leg may have a known side before the first leg, and completes the sides of the tie', () => {
    const tie = (one: BracketMatch['slots'], other: BracketMatch['slots']) =>
      read(
        [
          match('q1', 'A', 'B', [1, 0]),
          match('q2', 'C', 'D', [1, 0]),
          match('t1', one[0], one[1], [1, 0], { tieId: 't', leg: 1 }),
          match('t2', other[0], other[1], [0, 3], { tieId: 't', leg: 2 }),
        ],
        (stageId) => ({ legs: stageId === null ? 1 : 2 }),
      )
        .rounds.at(-1)
        ?.ties.find(({ tieId }) => tieId === 't');
    const [a, c] = [{ participantId: 'A' }, { participantId: 'C' }];
    expect(tie([a, {}], [c, a])?.slots.map(({ participantId }) => participantId)).toEqual(['A', 'C']);
    expect(tie([{}, {}], [c, a])?.slots.map(({ participantId }) => participantId)).toEqual(['A', 'C']);
    const waiting = tie([winnerOf('q1'), winnerOf('q2')], [c, a]);
    expect(waiting).toMatchObject({ aggregate: [4, 0], slots: [a, c] });
    expect(tie([winnerOf('q1'), winnerOf('q2')], [a, c])).toMatchObject({ aggregate: [1, 3], slots: [a, c] });
    expect(tie([winnerOf('q1'), winnerOf('q2')], [winnerOf('q2'), winnerOf('q1')])).toMatchObject({ aggregate: [4, 0] });
  });

  test('placement matches are included, and a losing side may return', () => {
    const placement = read([...four, match('seventh', loserOf('third'), 'X')]);
    expect(placement).toMatchObject({ championId: 'C' });
    expect(placement.rounds.flatMap(({ ties }) => ties).find(({ tieId }) => tieId === 'seventh')?.kind).toBe('PLACEMENT');
    const page = read([
      match('1v2', 'A', 'B', [1, 0]),
      match('3v4', 'C', 'D', [1, 0]),
      match('semi', loserOf('1v2'), winnerOf('3v4'), [1, 0]),
      match('final', winnerOf('1v2'), winnerOf('semi'), [0, 1]),
    ]);
    expect(page).toMatchObject({ championId: 'B', runnerUpId: 'A', thirdPlaceId: null });
    expect(page.rounds.flatMap(({ ties }) => ties.map(({ kind }) => kind))).toEqual(['MAIN', 'MAIN', 'MAIN', 'MAIN']);
  });

  test('a first round without later rounds is in draw order, without a champion', () => {
    const bracket = read([
      match('a', 'A', 'B', [1, 0], { bracketPosition: 2 }),
      match('b', 'C', 'D', [1, 0], { bracketPosition: 1 }),
    ]);
    expect(summaryOf(bracket)).toEqual(['b C SCORE | a A SCORE']);
    expect(bracket.championId).toBeNull();
  });

  test('a participant that replaces a winner counts, and the conflict is reported', () => {
    const replaced = four.map((each) =>
      each.matchId === 'final' ? match('final', { ...winnerOf('s1'), participantId: 'B' }, winnerOf('s2'), [1, 0]) : each,
    );
    expect(read(replaced)).toMatchObject({ championId: 'B', conflicts: [{ tieId: 'final', expectedId: 'A', actualId: 'B' }] });
  });

  test.each<[string, BracketMatch[], string]>([
    ['source_unknown', [match('f', winnerOf('nowhere'), 'B')], 'The match f waits for the match nowhere'],
    ['bracket_cycle', [match('f', winnerOf('f'), 'B')], 'cycle: f'],
    ['bracket_cycle', [match('a', winnerOf('b'), 'B'), match('b', loserOf('a'), 'C'), match('c', 'D', 'E')], 'cycle: a, b'],
    ['source_used_twice', [match('s', 'A', 'B'), match('f', winnerOf('s'), 'C'), match('g', winnerOf('s'), 'D')], 'winner of s'],
    ['source_used_twice', [match('s', 'A', 'B'), match('f', winnerOf('s'), winnerOf('s'))], 'winner of s: f and f'],
    ['match_repeated', [match('f', 'A', 'B'), match('f', 'A', 'B')], 'The match f is listed 2 times'],
    ['tie_sides', [match('a', 'A', 'B', null, { tieId: 't' }), match('b', 'A', 'C', null, { tieId: 't' })], 'tie t'],
  ])('%s is rejected and names the matches', (code, matches, detail) => {
    expect(readBracket(matches)).toEqual({ value: null, violations: [{ code, detail: expect.stringContaining(detail) }] });
  });
});

describe('the World Cup of 2018', () => {
  interface OpenMatch {
    readonly round: string;
    readonly team1: string;
    readonly team2: string;
    readonly group?: string;
    readonly score: Readonly<Partial<Record<'ft' | 'et' | 'p', [number, number]>>>;
  }
  const rounds = ['Round of 16', 'Quarter-finals', 'Semi-finals', 'Match for third place', 'Final'];

  /** Only the first round has teams. Later rounds have placeholders for winners and losers. */
  const linked = (matches: readonly OpenMatch[]): BracketMatch[] =>
    matches.map(({ round, team1, team2, score: { ft, et, p } }, index) => {
      const source = (team: string): string | MatchSlot => {
        const before = matches.findLastIndex(
          (each, at) =>
            at < index &&
            rounds.indexOf(each.round) < Math.min(rounds.indexOf(round), 3) &&
            [each.team1, each.team2].includes(team),
        );
        if (before < 0) return team;
        return round === 'Match for third place' ? loserOf(`m${before}`) : winnerOf(`m${before}`);
      };
      const duration = p ? 'PENALTY_SHOOTOUT' : et ? 'EXTRA_TIME' : 'REGULAR';
      const scores = et ?? ft ?? null;
      return match(`m${index}`, source(team1), source(team2), null, {
        round,
        result: { scores, shootoutScores: p ?? null, duration },
      });
    });

  test('its knock-out rounds lead from sixteen teams to France', () => {
    const matches = readData<{ matches: OpenMatch[] }>('worldcup/2018.json').matches.filter(({ group }) => group === undefined);
    const bracket = read(linked(matches));
    expect(bracket.rounds.map(({ name, ties }) => [name, ties.length])).toEqual([
      ['Round of 16', 8],
      ['Quarter-finals', 4],
      ['Semi-finals', 2],
      ['Final', 2],
    ]);
    expect(bracket).toMatchObject({
      championId: 'France',
      runnerUpId: 'Croatia',
      thirdPlaceId: 'Belgium',
      fourthPlaceId: 'England',
      conflicts: [],
    });
    const byTie = bracket.rounds.flatMap(({ ties }) => ties.map(({ advancedId, decidedBy }) => `${advancedId} ${decidedBy}`));
    expect(byTie.filter((each) => !each.endsWith('SCORE')).toSorted()).toEqual([
      'Croatia EXTRA_TIME',
      'Croatia PENALTY_SHOOTOUT',
      'Croatia PENALTY_SHOOTOUT',
      'England PENALTY_SHOOTOUT',
      'Russia PENALTY_SHOOTOUT',
    ]);
    const met = bracket.rounds.flatMap(({ ties }) =>
      ties.flatMap(({ slots }) => slots.map(({ participantId }) => participantId)),
    );
    expect(met.toSorted()).toEqual(matches.flatMap(({ team1, team2 }) => [team1, team2]).toSorted());
  });
});
