/** Rows that name an athlete, a team or an organization have its image. Photos of minors follow the visibility matrix there, too. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { createAdult, createTeam } from '../organizations/clubs.ts';
import { createTransfer, openCareer, transferOf } from '../organizations/transfers.ts';
import { offer } from '../scouting/market.ts';
import { addEntry, createShortlist } from '../scouting/scouts.ts';
import { png, upload } from './pictures.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let agency: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
});
afterAll(() => platform.close());

/** The image of a URL, without the signature of a photo, which changes with time. */
const imageOf = (url: string | null | undefined) => url && new URL(url).pathname;

async function withImage(path: string): Promise<string> {
  const { status, body } = await upload(owner, path, await png());
  expect({ status, body }).toMatchObject({ status: 200 });
  return new URL(body.imageUrl).pathname;
}

interface Row {
  readonly athlete: { readonly id: string; readonly imageUrl: string | null } | null;
}

const firstRow = ({ status, body }: ApiResponse) => {
  expect({ status, body }).toMatchObject({ status: 200, body: { data: [expect.anything()] } });
  return body.data[0];
};

test('memberships, transfers and opportunities have crests and photos', async () => {
  const career = await openCareer(owner);
  const photo = await withImage(`/athletes/${career.athlete}`);
  const [from, to] = [await withImage(`/organizations/${career.from}`), await withImage(`/organizations/${career.to}`)];
  const membership = firstRow(await owner.get(`/organizations/memberships?ids=${career.member}`));
  expect([membership.athlete, membership.organization].map(({ imageUrl }) => imageOf(imageUrl))).toEqual([photo, from]);
  const toTeam = await createTeam(owner, career.to);
  const { id } = await createTransfer(owner, transferOf(career, { toTeamId: toTeam.id }));
  const transfer = firstRow(await owner.get(`/organizations/transfers?ids=${id}`));
  const sides = [transfer.athlete, transfer.fromOrganization, transfer.toOrganization, transfer.toTeam];
  expect(sides.map(({ imageUrl }) => imageOf(imageUrl))).toEqual([photo, from, to, to]);
  expect(imageOf(firstRow(await owner.get(`/organizations/teams?ids=${toTeam.id}`)).organization.imageUrl)).toBe(to);
  const trial = { ...offer(), type: 'TRIAL', organizationId: career.from, title: 'Trial of left backs' };
  const opportunity = await createResource(owner, '/opportunities', trial);
  expect(imageOf(firstRow(await owner.get(`/opportunities?mine=true&ids=${opportunity.id}`)).organization.imageUrl)).toBe(from);
});

test('participants, matches, statistics and shortlist entries have the photo of the athlete', async () => {
  const { id: athleteId } = await createAdult(owner);
  const photo = await withImage(`/athletes/${athleteId}`);
  const { season, path } = await createSeason(owner, { sport: 'SWIMMING', type: 'MEET' });
  const contest = await createResource(owner, `${path}/contests`, { name: '100 m freestyle', eventCode: '100_FREE' });
  const participant = await createResource(owner, `${path}/participants`, { type: 'ATHLETE', athleteId, contestId: contest.id });
  expect(imageOf(participant.athlete.imageUrl)).toBe(photo);
  const stage = await createResource(owner, `${path}/stages`, { contestId: contest.id, type: 'FINAL', name: 'Final' });
  const match = { seasonId: season.id, stageId: stage.id, participants: [{ participantId: participant.id }] };
  await createResource(owner, '/competitions/matches', match);
  const row = firstRow(await owner.get(`/competitions/matches?seasonId=${season.id}`));
  expect(imageOf(row.participants[0].participant.athlete.imageUrl)).toBe(photo);
  const metrics = [{ key: 'goals', value: 3 }];
  const statistics = { athleteId, sport: 'FOOTBALL', scope: 'CAREER', source: 'SELF_REPORTED', metrics };
  await createResource(owner, '/athletes/statistics', statistics);
  const reported = firstRow(await owner.get(`/athletes/${athleteId}/statistics`));
  expect(imageOf(reported.athlete.imageUrl)).toBe(photo);
  const entry = await addEntry(owner, await createShortlist(owner), athleteId);
  expect(imageOf((await owner.get(entry)).body.athlete.imageUrl)).toBe(photo);
});

test('a row shows the photo of a minor only to viewers who read it in the profile', async () => {
  const minors = [await createMinor(owner, ['PROFILE', 'MEDIA']), await createMinor(owner, ['PROFILE'])] as const;
  const photos = [await withImage(`/athletes/${minors[0]}`), await withImage(`/athletes/${minors[1]}`)];
  const { path } = await createSeason(owner, { sport: 'TENNIS', type: 'TOURNAMENT' });
  for (const athleteId of minors) await createResource(owner, `${path}/participants`, { type: 'ATHLETE', athleteId });
  const read = async (client: Client) => {
    const { body } = await client.get(`${path}/participants`);
    const photoOf = new Map(body.data.map(({ athlete }: Row) => [athlete?.id, imageOf(athlete?.imageUrl) ?? null]));
    return minors.map((id) => photoOf.get(id) ?? null);
  };
  expect(await read(owner)).toEqual(photos);
  expect(await read(agency)).toEqual([photos[0], null]);
  expect(await read(platform.anonymous)).toEqual([null, null]);
});
