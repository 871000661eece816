/** Batches that lock one another's rows: both are done, none is lost. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const count = 120;

/** Own ids go up; ids of the public registry go down for one of the two, so that each waits for what the other holds. */
const items = (account: string, down: boolean) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'CLUB',
    name: `${account} ${index}`,
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
    externalIds: [
      { scheme: 'OWN', value: String(index).padStart(4, '0') },
      { scheme: 'WIKIDATA', value: `Q${down ? count - index : index + 1}` },
    ],
  }));

test('two batches over the same registry ids in opposite orders both answer 200, and each id names one organization', async () => {
  const [one, other] = await Promise.all([world.account({ account: 'One' }), world.account({ account: 'Other' })]);
  const answers = await Promise.all([
    one.post('/organizations/batch', { items: items('One', false) }),
    other.post('/organizations/batch', { items: items('Other', true) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const created = answers.map(({ body }) => body.summary.created as number);
  expect((created[0] ?? 0) + (created[1] ?? 0)).toBe(count);
});
