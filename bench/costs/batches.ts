/** Batches that create resources, with new external IDs in each request. */
import { randomUUID } from 'node:crypto';
import { isRecord } from '../../schema/records.ts';
import type { CostRequest, Send } from './client.ts';

export interface Batch {
  readonly name: string;
  /** A request that was not sent before. */
  readonly next: () => CostRequest;
}

/** Work and units grow alike with the items, up to 500. A batch of 500 takes longer than an operation may where other programs use the processor. */
const items = 100;

const batchOf = (path: string, item: (index: number) => object): Batch => ({
  name: `POST ${path}, ${items} items`,
  next: () => ({
    path: `/api/v1${path}`,
    body: JSON.stringify({
      items: Array.from({ length: items }, (_, index) => ({
        ...item(index),
        externalIds: [{ scheme: 'BENCH', value: randomUUID() }],
      })),
    }),
  }),
});

/** The slowest valid document that was found: validation compares every pair of its 330 fragments. */
const slowDocument = (name: string): string => {
  const fragments = Array.from({ length: 330 }, (_, index) => `f${index}`);
  const spreads = fragments.map((fragment) => `...${fragment}`).join(' ');
  const definitions = fragments.map((fragment) => `fragment ${fragment} on Organization { name }`).join(' ');
  return `query ${name} { organization(id: "${randomUUID()}") { ${spreads} } } ${definitions}`;
};

/** A batch of registered documents, with new documents in each request. */
export const documentBatch: Batch = {
  name: 'POST /registered-documents/batch, 20 items',
  next: () => ({
    path: '/api/v1/registered-documents/batch',
    body: JSON.stringify({ items: Array.from({ length: 20 }, (_, index) => ({ text: slowDocument(`bench${index}`) })) }),
  }),
};

/** Throws Error when the club of the teams cannot be created. */
export async function createBatches(send: Send): Promise<Batch[]> {
  const club = { type: 'CLUB', name: 'Bench', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const { status, text } = await send({ path: '/api/v1/organizations', body: JSON.stringify(club) });
  const created: unknown = JSON.parse(text);
  if (status !== 201 || !isRecord(created)) throw new Error(`The club could not be created: ${status} ${text}`);
  return [
    batchOf('/organizations/batch', (index) => ({ ...club, name: `Bench ${index}` })),
    batchOf('/organizations/teams/batch', (index) => ({
      name: `Team ${index}`,
      sport: 'FOOTBALL',
      category: 'WOMEN',
      organizationId: created['id'],
    })),
    batchOf('/athletes/batch', (index) => ({
      displayName: `Bench Athlete ${index}`,
      dateOfBirth: '2000-01-01',
      sex: 'FEMALE',
      nationalities: ['DE'],
      sports: [{ sport: 'FOOTBALL' }],
      status: 'ACTIVE',
    })),
    batchOf('/competitions/batch', (index) => ({ name: `Cup ${index}`, sport: 'FOOTBALL', type: 'LEAGUE' })),
  ];
}
