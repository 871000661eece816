/** A club with replays, moderators and viewers, and the transitions to every status of a replay. */
import { expect } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform } from '../../test-platform.ts';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

export const states = ['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED', 'TAKEN_DOWN'] as const;
export type State = (typeof states)[number];

export interface Created {
  readonly id: string;
  readonly version: number;
  readonly status: string;
}

export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
export const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString();

/** The path of a replay or of one of its transitions. */
export const path = (id: string, verb = ''): string => `/competitions/replays/${id}${verb && `/${verb}`}`;

/** Opens a test platform with a club that has an adult and a minor, another account with a minor, and moderators. */
export async function openStudio() {
  const platform = await openTestPlatform();
  const [owner, other, moderator, ownModerator] = await Promise.all([
    platform.account({ account: 'Club' }),
    platform.account({ account: 'Other' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
    platform.account({ account: 'Club', scopes: ['moderation:write'] }),
  ]);
  const database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  const [{ id: adult }, { id: minor }, { id: outsider }] = await Promise.all([
    createAdult(owner),
    createAthlete(owner, { dateOfBirth: bornFor(16, 100) }),
    createAthlete(other, { dateOfBirth: bornFor(15, 100) }),
  ]);
  const clip = (more: object = {}) => ({
    athleteId: adult,
    title: 'Free kick',
    kind: 'CLIP',
    url: 'https://video.example/1',
    ...more,
  });

  async function create(more: object = {}): Promise<Created> {
    const { status, body } = await owner.post('/competitions/replays', clip(more));
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  }
  async function published(step: (id: string) => Promise<{ body: Created }>): Promise<Created> {
    return (await step((await create({ status: 'PUBLISHED' })).id)).body;
  }
  const over = { rights: { expiresAt: yesterday() } };

  return {
    platform,
    database,
    owner,
    other,
    moderator,
    ownModerator,
    adult,
    minor,
    outsider,
    clip,
    create,
    /** A replay in a status, reached through the APIs. */
    inState: {
      DRAFT: () => create(),
      REVIEW: () => published((id) => owner.post(path(id, 'tags'), { athleteId: minor })),
      PUBLISHED: () => create({ status: 'PUBLISHED' }),
      HIDDEN: () => published((id) => owner.post(path(id, 'hide'))),
      EXPIRED: () => published((id) => owner.patch(path(id), over, { 'if-match': '*' })),
      TAKEN_DOWN: () => published((id) => moderator.post(path(id, 'take-down'), { reason: 'Reported' })),
    } satisfies Record<State, () => Promise<Created>>,
    /** The status of the replay for a reader, or the HTTP status of the error. */
    async statusFor(client: Client, id: string): Promise<string | number> {
      const { status, body } = await client.get(path(id));
      return status === 200 ? body.status : status;
    },
    /** Whether unrelated viewers can read it, alone and in lists. */
    async isShown(id: string): Promise<boolean> {
      const found = await Promise.all([
        ...[other, platform.anonymous].map(async (client) => (await client.get(path(id))).status === 200),
        platform.anonymous.get('/competitions/replays?limit=100').then((response) => idsOf(response).includes(id)),
      ]);
      expect(new Set(found).size).toBe(1);
      return found[0];
    },
    async close() {
      await database.end();
      await platform.close();
    },
  };
}

export type Studio = Awaited<ReturnType<typeof openStudio>>;
