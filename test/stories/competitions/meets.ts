/** Meets with one contest, their swimmers and results. */
import type { Client } from '../../client.ts';
import { createResource, createSeason } from './season-fixtures.ts';

/** A season with one contest and its final for these swimmers. */
export async function holdMeet(
  owner: Client,
  swimmers: ReadonlyMap<string, string>,
  competition: object,
  contest: object,
  names: readonly string[],
) {
  const created = await createSeason(owner, { name: 'Meet', sport: 'SWIMMING', type: 'MEET', category: 'WOMEN', ...competition });
  const event = await createResource(owner, `${created.path}/contests`, { name: 'Event', ...contest });
  const final = await createResource(owner, `${created.path}/stages`, { contestId: event.id, name: 'Final', type: 'FINAL' });
  const entered = new Map<string, string>();
  for (const name of names)
    entered.set(
      name,
      (
        await createResource(owner, `${created.path}/participants`, {
          contestId: event.id,
          type: 'ATHLETE',
          athleteId: swimmers.get(name),
        })
      ).id,
    );
  /** Records marks in hundredths of a second, or complete results. */
  const swims = async (times: Readonly<Record<string, number | object>>, date = '2026-09-01'): Promise<string> => {
    const ids = Object.keys(times).map((name) => entered.get(name) ?? '');
    const results = Object.values(times).map((time, index) => ({
      participantId: ids[index],
      ...(typeof time === 'number' ? { mark: { value: time * 10 } } : time),
    }));
    const facts = {
      seasonId: created.season.id,
      stageId: final.id,
      date,
      participants: ids.map((participantId) => ({ participantId })),
    };
    const match = await createResource(owner, '/competitions/matches', {
      ...facts,
      status: 'FINISHED',
      result: { status: 'OFFICIAL', participants: results },
    });
    return match.id;
  };
  return { ...created, event, final, entered, swims };
}
