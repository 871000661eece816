/** A World Cup through the public APIs: FIFA's group tables, and a bracket that ends with the champion. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { readData } from '../open-data.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { hasNoChanges, importOpenData } from './import-open-data.ts';
import { counts } from './run-importer.ts';

interface Standing {
  readonly team: { readonly name: string };
  readonly pos: number;
  readonly played: number;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  readonly goals_for: number;
  readonly goals_against: number;
  readonly pts: number;
}

interface Row {
  readonly group: string;
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly matchesPlayed: number;
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly points: number;
  readonly tieBreak: object | null;
}

interface Tie {
  readonly slots: readonly {
    readonly participant: { readonly id: string; readonly name: string };
    readonly sourceTieId: string | null;
  }[];
  readonly advanced: { readonly id: string };
  readonly decidedBy: string;
  readonly shootoutScores: readonly number[] | null;
}

describe('the World Cup of 2018', () => {
  const decision = 'H: Japan > Senegal: DISCIPLINARY: Four yellow cards against six';
  const options = ['worldcup', 'worldcup/2018.json', '--decide', decision] as const;
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  let id: string;
  beforeAll(async () => {
    platform = await openTestPlatform();
    owner = await platform.account();
    const run = await importOpenData(platform, owner.key, ...options);
    expect(counts(run, 'matches')).toEqual({ rows: 64, created: 64, updated: 0, unchanged: 0, rejected: 0 });
    expect(run.requests).toBeLessThan(20);
    id = (await owner.get('/competitions/seasons?mine=true&externalId=OPENFOOTBALL:world-cup/2018')).body.data[0].id;
  });
  afterAll(() => platform.close());

  const rows = async (): Promise<Row[]> =>
    (await platform.anonymous.get(`/competitions/rankings?seasonId=${id}&limit=100`)).body.data;

  test('every group has the ranking that FIFA published', async () => {
    const { groups } = readData<{ groups: readonly { name: string; standings: readonly Standing[] }[] }>(
      'worldcup/2018.standings.json',
    );
    const published = groups.flatMap(({ name, standings }) =>
      standings.map((row) => [
        name,
        row.pos,
        row.team.name,
        row.played,
        row.won,
        row.drawn,
        row.lost,
        row.goals_for,
        row.goals_against,
        row.pts,
      ]),
    );
    const ranked = (await rows()).map((row) => [
      row.group,
      row.position,
      row.participant.name,
      row.matchesPlayed,
      row.won,
      row.draw,
      row.lost,
      row.scoreFor,
      row.scoreAgainst,
      row.points,
    ]);
    expect(ranked).toEqual(published);
  });

  test('the first two of each group are qualified', async () => {
    const all: readonly (Row & { readonly qualified: boolean | null })[] = (
      await platform.anonymous.get(`/competitions/rankings?seasonId=${id}&limit=100`)
    ).body.data;
    expect(all.map(({ qualified }) => qualified)).toEqual(all.map(({ position }) => position <= 2));
  });

  test('Japan ranks above Senegal by a decision of the organizer, and the table gives the reason', async () => {
    const japan = (await rows()).find(({ participant }) => participant.name === 'Japan');
    expect(japan?.tieBreak).toMatchObject({ criterion: 'DISCIPLINARY', reason: 'Four yellow cards against six' });
  });

  test('the bracket leads from the last sixteen to France, with extra time and shoot-outs', async () => {
    const { body } = await platform.anonymous.get(`/competitions/seasons/${id}/bracket`);
    const names = [body.champion, body.runnerUp, body.thirdPlace, body.fourthPlace].map(({ name }: { name: string }) => name);
    expect(names).toEqual(['France', 'Croatia', 'Belgium', 'England']);
    const rounds = body.rounds as { name: string; ties: Tie[] }[];
    expect(rounds.map(({ name, ties }) => [name, ties.length])).toEqual([
      ['Round of 16', 8],
      ['Quarter-finals', 4],
      ['Semi-finals', 2],
      ['Final', 2],
    ]);
    const [first, ...later] = rounds.map(({ ties }) => ties);
    expect(first?.every(({ slots }) => slots.every(({ sourceTieId }) => sourceTieId === null))).toBe(true);
    expect(later.flat().every(({ slots }) => slots.every(({ sourceTieId }) => sourceTieId !== null))).toBe(true);
    const winnerOf = ({ slots, advanced }: Tie) =>
      slots.find(({ participant }) => participant.id === advanced.id)?.participant.name;
    const special = rounds.flatMap(({ ties }) => ties.filter(({ decidedBy }) => decidedBy !== 'SCORE'));
    expect(special.map((tie) => [winnerOf(tie), tie.decidedBy, tie.shootoutScores]).toSorted()).toEqual([
      ['Croatia', 'EXTRA_TIME', null],
      ['Croatia', 'PENALTY_SHOOTOUT', [3, 2]],
      ['Croatia', 'PENALTY_SHOOTOUT', [3, 4]],
      ['England', 'PENALTY_SHOOTOUT', [3, 4]],
      ['Russia', 'PENALTY_SHOOTOUT', [3, 4]],
    ]);
  });

  test('every goal has its minute, its team and the score after it', async () => {
    const query = `query ($id: ID!, $after: String) { season(id: $id) { matches(first: 50, after: $after) {
      nodes { participants { participant { id } } actions { type minute scoreAfter } result { participants { score } } } pageInfo { endCursor } } } }`;
    const matches: { actions: { type: string; scoreAfter: number[] }[]; result: { participants: { score: number }[] } }[] = [];
    for (let after: string | null = null; matches.length < 64;) {
      const { body } = await platform.anonymous.graphql(query, { id, after });
      const page: { nodes: typeof matches; pageInfo: { endCursor: string } } = body.data.season.matches;
      matches.push(...page.nodes);
      after = page.pageInfo.endCursor;
    }
    expect(matches.flatMap(({ actions }) => actions)).toHaveLength(169);
    for (const { actions, result } of matches)
      expect(actions.at(-1)?.scoreAfter ?? [0, 0]).toEqual(result.participants.map(({ score }) => score));
    const { body } = await platform.anonymous.get(`/competitions/matches?seasonId=${id}&limit=1&sort=-startTime`);
    const final = await platform.anonymous.get(`/competitions/matches/${body.data[0].id}`);
    const [france, croatia] = final.body.participants.map((each: { participant: { id: string } }) => each.participant.id);
    expect(final.body.actions[0]).toMatchObject({
      type: 'OWN_GOAL',
      minute: 18,
      participant: { id: croatia },
      scoreAfter: [1, 0],
    });
    expect(final.body.actions[2]).toMatchObject({ type: 'PENALTY_GOAL', minute: 38, participant: { id: france } });
  });

  test('a second import changes nothing', async () => {
    expect(hasNoChanges(await importOpenData(platform, owner.key, ...options))).toBe(true);
  });
});
