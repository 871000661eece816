/** Messages of errors: each says which value is wrong, and shows a valid one. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAthlete, bornFor } from '../athletes/people.ts';
import { createResource } from '../competitions/season-fixtures.ts';
import { addEntry, createShortlist, move } from '../scouting/scouts.ts';

let platform: TestPlatform;
let scout: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  scout = await platform.account({ account: 'Scout' });
});
afterAll(() => platform.close());

describe('a rejected parameter', () => {
  test.each([
    [
      '/scouting/prospects?sport=FOOTBALL&metric=goals%3E3',
      400,
      /^`metric` must be a value such as goals:gte:10, goalsConceded:lte:20/,
    ],
    ['/organizations?near=Berlin', 400, /^`near` must be a value such as 52\.52,13\.405\.$/],
    [
      '/scouting/prospects?ageBand=28+',
      400,
      /^`ageBand` must be a value such as 18-20, .* or 28\+; encode \+ as %2B in a URL\.$/,
    ],
    ['/scouting/prospects?sport=FOOTBALL&position=CB,XYZ', 400, /^XYZ is not a position of FOOTBALL\. Known values: GK, /],
    ['/scouting/prospects?sport=FOOTBALL&position=CB,STT', 400, /^STT is not a position of FOOTBALL\. Did you mean "ST"/],
    [
      '/athletes/statistics?sport=SWIMMING&eventCode=100FR',
      400,
      /^100FR is not an event of SWIMMING\. Did you mean "100_FREE" or "/,
    ],
    ['/athletes?height=185', 400, /Did you mean "heightCmM/],
    ['/athletes/statistics?sort=best', 400, /^The orders by value need `metric`, .* such as `metric=goals`/],
    ['/scouting/similar?athleteId=00000000-0000-4000-8000-000000000000', 404, /^The athlete of `athleteId` is not a prospect/],
  ])('%s', async (path, status, detail) => {
    expect(await platform.anonymous.get(path)).toMatchObject({ status, body: { detail: expect.stringMatching(detail) } });
  });

  test('in a URL that is not percent-encoded', async () => {
    const { hostname, port, pathname } = new URL(platform.restUrl);
    const body = await new Promise<string>((resolve, reject) => {
      const path = Buffer.from(`${pathname}/search?q=三苫`).toString('latin1');
      httpRequest({ hostname, port, path, headers: { accept: 'application/json' } }, (response) => {
        response
          .setEncoding('utf8')
          .toArray()
          .then((parts) => resolve(parts.join('')), reject);
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body)).toMatchObject({
      status: 400,
      detail: expect.stringContaining('not percent-encoded. Encode it as UTF-8 (RFC 3986): `S%C3%A3o` for `São`'),
    });
  });

  test('with a sport that an organization does not have', async () => {
    const club = { type: 'CLUB', name: 'FC Plain', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    const { id } = await createResource(scout, '/organizations', club);
    const { status, body } = await platform.anonymous.get(`/scouting/recommendations?organizationId=${id}&sport=TENNIS`);
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [
        {
          parameter: 'sport',
          code: 'other_sport',
          detail: 'TENNIS is not a sport of this organization. Its sports: FOOTBALL.',
        },
      ],
    });
  });
});

test('a move between stages that is not allowed names both stages and the allowed ones', async () => {
  const owner = await platform.account({ account: 'Owner' });
  const { id } = await createAthlete(owner, { status: 'ACTIVE', dateOfBirth: bornFor(20, 3) });
  const entry = await addEntry(scout, await createShortlist(scout), id);
  const { status, body } = await scout.post(`${entry}/move`, { stage: 'SCOUTED' });
  expect({ status, detail: body.detail }).toEqual({
    status: 409,
    detail: 'A shortlist entry in stage IDENTIFIED cannot move to SCOUTED. Allowed: WATCHLIST, REJECTED, ON_HOLD, LOST.',
  });
  await move(scout, entry, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED');
  const contacted = await scout.post(`${entry}/move`, { stage: 'CONTACTED' });
  expect(contacted.body.detail).toContain('POST /api/v1/scouting/contact-requests');
});
