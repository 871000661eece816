/** Parsing of a World Cup before anything is sent. */
import { describe, expect, test } from '@jest/globals';
import { RejectedFile } from '../../examples/import/problem.ts';
import { readDecision } from '../../examples/import/tie-break.ts';
import { readWorldCup } from '../../examples/import/worldcup.ts';
import { rowsOf } from './plan-rows.ts';

describe('a World Cup', () => {
  const match = (team1: string, team2: string, more: object) => ({ date: '2018-06-14', team1, team2, ...more });
  const cup = [
    match('Russia', 'Iran', { group: 'Group A', round: 'Matchday 1', time: '18:00 UTC+3', ground: 'Luzhniki Stadium, Moscow' }),
    match('England', 'Japan', { round: 'Semi-finals', date: '2018-07-10', score: { ft: [1, 1], et: [1, 1], p: [3, 4] } }),
    match('South Korea', 'Iran', { round: 'Semi-finals', date: '2018-07-11', score: { ft: [1, 1], et: [2, 1], ht: [1, 0] } }),
    match('England', 'Iran', { round: 'Match for third place', date: '2018-07-14' }),
    match('Japan', 'South Korea', { round: 'Final', date: '2018-07-15' }),
  ];
  const worldCup = (matches: object[], ...decisions: string[]) =>
    readWorldCup(JSON.stringify({ name: 'World Cup 2018', matches }), {
      decisions: decisions.map(readDecision),
      successors: false,
    });

  test('has the same nations as the squads', () => {
    const { byKey } = rowsOf(worldCup(cup), 'teams');
    expect(Object.keys(byKey)).toEqual(['eng', 'irn', 'jpn', 'rus', 'kor'].map((code) => `world-cup/${code}`));
    expect(byKey['world-cup/eng']).toMatchObject({ name: 'England', shortName: 'ENG', country: 'GB-ENG' });
    expect(rowsOf(worldCup([match('Atlantis', 'Japan', { round: 'Final' })]), 'teams').rejected).toEqual([
      ['team', ['unknown nation']],
    ]);
  });

  test('the sides of the last matches name the matches that sent them there', () => {
    const { byKey } = rowsOf(worldCup(cup), 'matches');
    const origin = (teams: string, outcome: string) => ({
      placeholder: { sourceMatchId: `matches world-cup/2018/semi-finals/${teams}`, outcome },
    });
    expect(byKey['world-cup/2018/match-for-third-place/england/iran']).toMatchObject({
      participants: [origin('england/japan', 'LOSER'), origin('south-korea/iran', 'LOSER')],
    });
    expect(byKey['world-cup/2018/final/japan/south-korea']).toMatchObject({
      participants: [origin('england/japan', 'WINNER'), origin('south-korea/iran', 'WINNER')],
    });
    // Each round is sent after the round it refers to.
    expect(
      worldCup(cup)
        .steps.filter(({ kind }) => kind === 'matches')
        .map(({ drafts }) => drafts.length),
    ).toEqual([3, 2]);
  });

  test('sides that are not known yet stay open', () => {
    const open = [
      match('1A', '2B', { num: 49, round: 'Semi-finals' }),
      match('W49', 'Japan', { num: 50, date: '2018-07-15', round: 'Final' }),
    ];
    const { byKey } = rowsOf(worldCup(open), 'matches');
    expect(byKey['world-cup/2018/semi-finals/49']).toMatchObject({
      participants: [{ placeholder: { text: '1A' } }, { placeholder: { text: '2B' } }],
    });
    expect(byKey['world-cup/2018/final/50']).toMatchObject({
      participants: [
        { placeholder: { sourceMatchId: 'matches world-cup/2018/semi-finals/49', outcome: 'WINNER' } },
        { participantId: 'participants world-cup/2018/japan' },
      ],
    });
  });

  test('extra time and shoot-outs are derived from the score, which excludes the shoot-out', () => {
    const { byKey } = rowsOf(worldCup(cup), 'matches');
    expect(byKey['world-cup/2018/semi-finals/england/japan']).toMatchObject({
      result: {
        duration: 'PENALTY_SHOOTOUT',
        participants: [
          { score: 1, shootoutScore: 3 },
          { score: 1, shootoutScore: 4 },
        ],
      },
    });
    expect(byKey['world-cup/2018/semi-finals/south-korea/iran']).toMatchObject({
      result: {
        duration: 'EXTRA_TIME',
        participants: [
          { score: 2, periodScores: [1, 0, 1] },
          { score: 1, periodScores: [0, 1, 0] },
        ],
      },
    });
  });

  test('minutes of goals may be text', () => {
    const goals = {
      score: { ft: [2, 0] },
      goals1: [
        { name: 'A', minute: '90+2' },
        { name: 'B', minute: '9' },
      ],
      goals2: [{ minute: 'x' }],
    };
    const { byKey } = rowsOf(worldCup([{ ...cup[0], ...goals }]), 'matches');
    expect(byKey['world-cup/2018/group-a/russia/iran']).toMatchObject({
      actions: [
        { type: 'GOAL', period: 1, minute: 9, scoreAfter: [1, 0] },
        { type: 'GOAL', period: 2, minute: 90, addedMinute: 2, scoreAfter: [2, 0] },
      ],
    });
  });

  test('a match has its offset, venue, and goals in the order they fell', () => {
    const goals = {
      score: { ft: [2, 1] },
      goals1: [
        { name: 'A', minute: 45, offset: 2, penalty: true },
        { name: 'B', minute: 12, owngoal: true },
      ],
      goals2: [{ name: 'C', minute: 46 }],
    };
    const { byKey } = rowsOf(worldCup([{ ...cup[0], ...goals }]), 'matches');
    const [russia, iran] = ['russia', 'iran'].map((team) => `participants world-cup/2018/${team}`);
    expect(byKey['world-cup/2018/group-a/russia/iran']).toMatchObject({
      group: 'Group A',
      startTime: '2018-06-14T15:00:00Z',
      venue: { name: 'Luzhniki Stadium', city: 'Moscow' },
      actions: [
        { type: 'OWN_GOAL', period: 1, minute: 12, participantId: iran, scoreAfter: [1, 0] },
        { type: 'PENALTY_GOAL', period: 1, minute: 45, addedMinute: 2, participantId: russia, scoreAfter: [2, 0] },
        { type: 'GOAL', period: 2, minute: 46, participantId: iran, scoreAfter: [2, 1] },
      ],
    });
  });

  test('ties that the criteria leave open are decided on the command line', () => {
    const plan = worldCup(cup, 'a: Russia > Iran: disciplinary: x');
    expect(rowsOf(plan, 'decisions').byKey['world-cup/2018/decision/group-a/iran/russia']).toEqual({
      stageId: 'stages world-cup/2018/groups',
      group: 'Group A',
      participantIds: ['participants world-cup/2018/russia', 'participants world-cup/2018/iran'],
      criterion: 'DISCIPLINARY',
      reason: 'x',
    });
  });

  describe('a dissolved state', () => {
    const germanies = match('West Germany', 'East Germany', { group: 'Group 1' });

    test('rejects the file with its years', () => {
      const read = () => worldCup([germanies, match('Yugoslavia', 'Chile', { group: 'Group 1' })]);
      expect(read).toThrow(RejectedFile);
      expect(read).toThrow(
        'East Germany existed from 1949 to 1990 and has no country code, which a national team requires. ' +
          'Yugoslavia existed from 1918 to 2003 and has no country code, which a national team requires. ' +
          'Add --successors to store these teams under their own names, with the countries that succeeded them (DE, RS).',
      );
    });

    test('has its own team with the country of the successor, and a former name is the team of today', () => {
      const text = JSON.stringify({ name: 'World Cup 1974', matches: [germanies] });
      const plan = readWorldCup(text, { decisions: [], successors: true });
      expect(rowsOf(plan, 'teams').byKey).toMatchObject({
        'world-cup/ger': { name: 'Germany', country: 'DE' },
        'world-cup/gdr': { name: 'East Germany', shortName: 'GDR', country: 'DE' },
      });
      expect(rowsOf(plan, 'participants').byKey).toMatchObject({
        'world-cup/1974/west-germany': { teamId: 'teams world-cup/ger', name: 'West Germany' },
        'world-cup/1974/east-germany': { teamId: 'teams world-cup/gdr', name: 'East Germany' },
      });
    });
  });

  describe('the format', () => {
    const groupOf = (group: string) => {
      const [one = '', two = '', three = '', four = ''] = [1, 2, 3, 4].map((place) => `${group}${place} FC`);
      return [match(one, two, { group }), match(three, four, { group })];
    };
    const groups = (count: number) => Array.from({ length: count }, (_, index) => groupOf(`Group ${index + 1}`)).flat();
    const knockouts = (sides: readonly string[]) =>
      Array.from({ length: sides.length / 2 }, (_, index) =>
        match(sides[index * 2] ?? '', sides[index * 2 + 1] ?? '', { round: 'Round of 16', date: '2018-07-01', num: 50 + index }),
      );
    const sides = (count: number) => Array.from({ length: count }, (_, index) => `1${String.fromCodePoint(65 + index)}`);
    const advancement = (...matches: object[]) =>
      (rowsOf(worldCup(matches), 'stages').byKey['world-cup/2018/groups'] as { advancement?: object }).advancement;
    const place = (count: number) => ({ by: 'PLACE', count });
    const nextPlaced = (count: number) => ({ by: 'NEXT_PLACED', count });

    test.each([
      ['eight groups (1998 to 2022)', 8, 16, [place(2)]],
      ['twelve groups (2026)', 12, 32, [place(2), nextPlaced(8)]],
      ['six groups (1986 to 1994)', 6, 16, [place(2), nextPlaced(4)]],
      ['four groups (1962 to 1970)', 4, 8, [place(2)]],
      ['four groups and semi-finals (1930)', 4, 4, [place(1)]],
      ['two group stages (1974 and 1978)', 6, 4, undefined],
      ['group play-offs (1954)', 4, 10, [place(2)]],
      ['twelve groups before the draw', 12, 0, [place(2), nextPlaced(8)]],
      ['eight groups before the draw', 8, 0, [place(2)]],
    ])('%s', (_, count, places, rules) => {
      expect(advancement(...groups(count), ...knockouts(sides(places)))).toEqual(rules);
    });

    test.each([
      ['2026', { ruleSet: 'FOOTBALL_UEFA' }],
      ['2018', { ruleSet: 'FOOTBALL' }],
      ['1994', { ruleSet: 'FOOTBALL' }],
      ['1990', { ruleSet: 'FOOTBALL', points: { win: 2, draw: 1, loss: 0 } }],
    ])('the ranking rules of %s', (year, rankingRules) => {
      const plan = worldCup(groups(2).map((each) => ({ ...each, date: `${year}-06-14` })));
      const initial = plan.steps
        .filter(({ kind }) => kind === 'seasons' || kind === 'competitions')
        .flatMap(({ drafts }) => drafts.map((draft) => ('initial' in draft ? draft.initial : null)));
      expect(initial).toEqual([{ rankingRules }, { rankingRules }]);
    });
  });

  test.each([
    ['A: Russia: DISCIPLINARY: x', 'GROUP: A > B: CRITERION: REASON'],
    ['A: Russia > Iran: DISCIPLINARY', 'GROUP: A > B: CRITERION: REASON'],
    ['A: Russia > Iran: COIN: x', 'one of DISCIPLINARY, PLAY_OFF, DRAW_OF_LOTS'],
    ['B: Russia > Iran: DISCIPLINARY: x', 'unknown Group B; known: Group A'],
    ['A: Russia > Japan: DISCIPLINARY: x', 'Japan did not play in Group A, where Russia, Iran did'],
  ])('the decision %j is rejected before anything is sent', (decision, reason) => {
    expect(() => worldCup(cup, decision)).toThrow(reason);
  });
});
