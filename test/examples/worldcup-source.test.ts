/** Parsing of a World Cup before anything is sent. */
import { describe, expect, test } from '@jest/globals';
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
    readWorldCup(JSON.stringify({ name: 'World Cup 2018', matches }), { decisions: decisions.map(readDecision) });

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
