/** Organizations and opportunities near a place, compared with distances of all of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
const places: { name: string; latitude: number; longitude: number }[] = [];

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Distance of two places in kilometers, by the spherical law of cosines on unit vectors. */
function distanceKm(one: Point, other: Point): number {
  const vector = ({ latitude, longitude }: Point): [number, number, number] => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const [a, b] = [vector(one), vector(other)];
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return 6371.0088 * Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

const centers: readonly Point[] = [
  { latitude: 52.52, longitude: 13.405 },
  { latitude: -17.8, longitude: 179.9 },
  { latitude: 89.5, longitude: 20 },
  { latitude: -90, longitude: 0 },
  { latitude: 0, longitude: -180 },
];

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Clubs' });
  // Around each center, at repeatable distances of up to nine degrees.
  for (const [index, center] of centers.entries())
    for (let number = 0; number < 40; number += 1) {
      const spread = ((number * 37) % 90) / 10;
      const angle = (number * 137 * Math.PI) / 180;
      const latitude = Math.max(-90, Math.min(90, center.latitude + spread * Math.sin(angle)));
      const longitude = ((((center.longitude + spread * Math.cos(angle) + 180) % 360) + 360) % 360) - 180;
      places.push({ name: `Club ${index}-${number}`, latitude, longitude });
    }
  const items = places.map(({ name, latitude, longitude }) => ({
    type: 'CLUB',
    name,
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
    coordinates: { latitude, longitude },
    externalIds: [{ scheme: 'TEST', value: name }],
  }));
  const { body } = await owner.post('/organizations/batch', { items });
  expect(body.summary).toMatchObject({ created: places.length, failed: 0 });
});
afterAll(() => platform.close());

async function names(query: string, limit = 100): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await platform.anonymous.get(`/organizations?${query}&limit=${limit}${cursor}`);
    expect([status, body.detail]).toEqual([200, undefined]);
    found.push(...body.data.map(({ name }: { name: string }) => name));
    if (body.page.nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  }
}

test('the places in a radius are those by distance, across the antimeridian and the poles', async () => {
  const near = fc.record({
    center: fc.constantFrom(...centers),
    latitude: fc.double({ min: -4, max: 4, noNaN: true }),
    longitude: fc.double({ min: -4, max: 4, noNaN: true }),
    radiusKm: fc.integer({ min: 1, max: 500 }),
  });
  await fc.assert(
    fc.asyncProperty(near, async ({ center, latitude, longitude, radiusKm }) => {
      const point = {
        latitude: Number(Math.max(-90, Math.min(90, center.latitude + latitude)).toFixed(4)),
        longitude: Number((((((center.longitude + longitude + 180) % 360) + 360) % 360) - 180).toFixed(4)),
      };
      const found = await names(`near=${point.latitude},${point.longitude}&radiusKm=${radiusKm}`);
      // Places within a meter of the circle may round either way.
      const sure = places.filter((place) => distanceKm(point, place) <= radiusKm - 0.001).map(({ name }) => name);
      const possible = places.filter((place) => distanceKm(point, place) <= radiusKm + 0.001).map(({ name }) => name);
      expect(found).toEqual(expect.arrayContaining(sure));
      expect(possible).toEqual(expect.arrayContaining(found));
    }),
    { numRuns: 60 },
  );
});

test('the nearest come first, on every page', async () => {
  const [berlin] = centers;
  const all = await names('near=52.52,13.405&radiusKm=500');
  const distances = all.map((name) => {
    const place = places.find((each) => each.name === name);
    return place && berlin ? distanceKm(berlin, place) : NaN;
  });
  expect(distances).toEqual(distances.toSorted((one, other) => one - other));
  expect(all.length).toBeGreaterThan(10);
  expect(await names('near=52.52,13.405&radiusKm=500', 3)).toEqual(all);
  expect(await names('near=52.52,13.405&radiusKm=500&sort=-name')).toEqual(all.toSorted().toReversed());
});

test.each([
  ['near=52.52', 'near'],
  ['near=95,13', 'near'],
  ['near=52,190', 'near'],
  ['radiusKm=5', 'radiusKm'],
  ['near=52.52,13.405&radiusKm=501', 'radiusKm'],
  ['sort=distance', 'sort'],
])('%s is a clear error', async (query, parameter) => {
  const { status, body } = await platform.anonymous.get(`/organizations?${query}`);
  expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
});

test('opportunities have a city and coordinates of their own', async () => {
  const { body: club } = await owner.post('/organizations', {
    type: 'CLUB',
    name: 'Ausrichter',
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  const offer = async (title: string, place: object) => {
    const { status, body } = await owner.post('/opportunities', {
      type: 'SHOWCASE',
      organizationId: club.id,
      title,
      description: 'Sichtung',
      sport: 'FOOTBALL',
      applicationDeadline: '2099-01-01T00:00:00Z',
      totalOpenings: 20,
      startDate: '2099-02-01',
      endDate: '2099-02-02',
      ...place,
    });
    expect([status, body.errors]).toEqual([201, undefined]);
    expect((await owner.post(`/opportunities/${body.id}/publish`)).status).toBe(200);
  };
  await offer('Köln', { city: 'Köln', coordinates: { latitude: 50.9375, longitude: 6.9603 } });
  await offer('Bonn', { city: 'Bonn', coordinates: { latitude: 50.7374, longitude: 7.0982 } });
  await offer('Irgendwo', {});
  const titles = async (query: string) => {
    const { body } = await platform.anonymous.get(`/opportunities?organizationId=${club.id}&${query}`);
    return body.data.map(({ title }: { title: string }) => title);
  };
  expect(await titles('city=koln')).toEqual(['Köln']);
  expect(await titles('near=50.73,7.09&radiusKm=10')).toEqual(['Bonn']);
  expect(await titles('near=50.73,7.09&radiusKm=100&sort=distance')).toEqual(['Bonn', 'Köln']);
  expect((await platform.anonymous.get('/opportunities?sort=distance')).status).toBe(400);
});
