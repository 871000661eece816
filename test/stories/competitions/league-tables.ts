/** Leagues with conferences and divisions, whose results are sent in one batch. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { playLeague, type League } from './leagues.ts';

export interface MatchRecord {
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
}
export interface Row {
  readonly group: string | null;
  readonly position: number;
  readonly participant: { readonly id: string; readonly name: string };
  readonly points: number;
  readonly won: number;
  readonly lost: number;
  readonly winPercentage: number;
  readonly groupRecord: MatchRecord;
  readonly division: string | null;
  readonly divisionRecord: MatchRecord | null;
  readonly tieBreak: {
    readonly criterion: string | null;
    readonly value: { readonly value: number; readonly by: number | null };
  } | null;
}

/** `1 Boston, 2 Miami` */
export const places = (rows: readonly Row[]): string =>
  rows.map(({ position, participant }) => `${position} ${participant.name}`).join(', ');
/** The deciding criterion and the value of a participant: `[criterion, value, by]`. */
export const tieBreakOf = (rows: readonly Row[], name: string): unknown => {
  const row = rows.find(({ participant }) => participant.name === name);
  return row && [row.tieBreak?.criterion, row.tieBreak?.value.value, row.tieBreak?.value.by];
};

let batches = 0;

/** The actions of one account. */
export function leagueTables(owner: Client) {
  const rowsOf = async (stageId: string, query = ''): Promise<Row[]> => {
    const { status, body } = await owner.get(`/competitions/rankings?stageId=${stageId}&limit=100${query}`);
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.data as Row[];
  };
  /** Enters the participants: `Boston` → `East`, `Atlantic`. */
  async function enter(league: League, names: readonly string[], of: (name: string) => object): Promise<void> {
    const path = `/competitions/seasons/${league.seasonId}/participants`;
    for (const [index, name] of names.entries()) {
      const { status } = await owner.patch(`${path}/${league.participants[index] ?? ''}`, of(name), { 'if-match': '*' });
      expect(status).toBe(200);
    }
  }

  /** Sends official results: `Boston 2-1 Miami`, or with tries `Blues 30-20 Reds 4-1`. */
  async function play(league: League, names: readonly string[], stageId: string, lines: readonly string[]): Promise<void> {
    batches += 1;
    const items = lines.map((line, index) => {
      const [home = '', score = '', away = '', tried] = line.split(' ');
      const [scores, tries] = [score, tried].map((text) => text?.split('-').map(Number));
      const ids = [home, away].map((name) => league.participants[names.indexOf(name)]);
      return {
        seasonId: league.seasonId,
        stageId,
        date: new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
        participants: ids.map((participantId) => ({ participantId })),
        status: 'FINISHED',
        result: {
          status: 'OFFICIAL',
          participants: ids.map((participantId, side) => ({ participantId, score: scores?.[side], tries: tries?.[side] })),
        },
        externalIds: [{ scheme: 'TEST', value: `division-${batches}-${index}` }],
      };
    });
    const { body } = await owner.post('/competitions/matches/batch', { items });
    expect(body.summary).toMatchObject({ failed: 0, created: lines.length });
  }

  async function open(
    names: readonly string[],
    facts: object,
    groups: readonly string[],
  ): Promise<{ league: League; stageId: string }> {
    const league = await playLeague(owner, names, facts);
    const stage = { name: 'Regular season', type: 'LEAGUE', groups };
    const { status, body } = await owner.post(`/competitions/seasons/${league.seasonId}/stages`, stage);
    expect([status, body.errors]).toEqual([201, undefined]);
    return { league, stageId: body.id };
  }

  return { open, enter, play, rowsOf };
}
