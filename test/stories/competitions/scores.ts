/** Plays matches of a league: creates matches and writes results and their transitions. */
import type { ApiResponse, Client } from '../../client.ts';
import type { League } from './leagues.ts';

export interface Fixture {
  readonly id: string;
  /** In program order. */
  readonly sides: readonly string[];
}

/** A result with these scores, in program order. */
export const scored = (sides: readonly string[], ...scores: number[]) => ({
  participants: sides.map((participantId, index) => ({ participantId, score: scores[index] })),
});

/** The actions of one account in one league. */
export function scoring(owner: Client, league: League) {
  const path = (id: string): string => `/competitions/matches/${id}`;
  const put = (id: string, body: object, headers: Record<string, string> = { 'if-none-match': '*' }): Promise<ApiResponse> =>
    owner.send(`${path(id)}/result`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const step = (id: string, verb: string, body?: object): Promise<ApiResponse> => owner.post(`${path(id)}/result/${verb}`, body);
  /** A match of two participants or placeholders. */
  const fixture = async (sides: readonly (number | object)[], facts: object = {}): Promise<Fixture> => {
    const entries = sides.map((side, index) => ({
      side: index === 0 ? 'HOME' : 'AWAY',
      ...(typeof side === 'number' ? { participantId: league.participants[side] } : side),
    }));
    const { body } = await owner.post('/competitions/matches', { seasonId: league.seasonId, ...facts, participants: entries });
    if (!body.id) throw new Error(JSON.stringify(body));
    return { id: body.id, sides: sides.map((side) => (typeof side === 'number' ? (league.participants[side] ?? '') : '')) };
  };
  /** The same, started. */
  const begun = async (sides: readonly (number | object)[], facts: object = {}): Promise<Fixture> => {
    const match = await fixture(sides, facts);
    await owner.post(`${path(match.id)}/start`);
    return match;
  };
  const finish = async ({ id }: Fixture): Promise<void> => {
    await owner.post(`${path(id)}/start`);
    await owner.post(`${path(id)}/finish`);
  };
  /** A finished match with an official result. */
  const played = async (sides: readonly number[], scores: readonly number[], facts: object = {}): Promise<Fixture> => {
    const match = await fixture(sides, facts);
    await finish(match);
    await put(match.id, scored(match.sides, ...scores));
    const { status, body } = await step(match.id, 'certify');
    if (status !== 200) throw new Error(JSON.stringify(body));
    return match;
  };
  return { put, step, fixture, begun, finish, played, path };
}
