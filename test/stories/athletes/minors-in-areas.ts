/** Rows of every area about one athlete, for tests of reads by administrators. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { createSeason } from '../competitions/season-fixtures.ts';
import { applicationsPath, responses } from '../opportunities/applicants.ts';
import { createClub, createMember } from '../organizations/clubs.ts';
import { createTransfer, day } from '../organizations/transfers.ts';
import { offer } from '../scouting/market.ts';
import { addEntry, createContactRequest, createShortlist, report } from '../scouting/scouts.ts';

/** An account with a verified organization. */
type VerifiedClient = Client & { readonly organizationId: string };

const lastPart = (path: string): string => path.split('/').at(-1) ?? '';

/** Creates a resource and returns its id. */
async function create(client: Client, path: string, input: object): Promise<string> {
  const { status, body } = await client.post(path, input);
  expect({ status, body }).toEqual({ status: 201, body: expect.objectContaining({ version: 1 }) });
  return body.id;
}

/** An application of the athlete to an opportunity of the scout. */
async function createApplication(owner: Client, scout: VerifiedClient, athleteId: string) {
  const { organizationId } = scout;
  const trial = { ...offer(), type: 'TRIAL', organizationId, title: 'Trial', status: 'PUBLISHED', minorsAllowed: true };
  const opportunityId = await create(scout, '/opportunities', trial);
  const input = { opportunityId, athleteId, answers: responses, status: 'SUBMITTED' };
  return { opportunityId, applicationId: await create(owner, applicationsPath, input) };
}

/** A membership, and a transfer from its club to another one of the account. */
async function createCareer(owner: Client, athleteId: string) {
  const [from, to] = [await createClub(owner), await createClub(owner)];
  const { id: membershipId } = await createMember(owner, from.id, athleteId, { startDate: '2020-07-01', sport: 'FOOTBALL' });
  const places = { fromOrganizationId: from.id, toOrganizationId: to.id };
  const { id: transferId } = await createTransfer(owner, { athleteId, type: 'PERMANENT', date: day(-2), ...places });
  return { organizationId: to.id, membershipId, transferId };
}

/** A participant with an external ID that names the athlete, and a replay that is not public. */
async function createParticipation(owner: Client, athleteId: string) {
  const { season, path } = await createSeason(owner, { sport: 'TENNIS', type: 'TOURNAMENT' });
  const externalIds = [{ scheme: 'FEED', value: `participant-${athleteId}` }];
  const participantId = await create(owner, `${path}/participants`, { type: 'ATHLETE', athleteId, externalIds });
  const clip = { athleteId, title: 'Free kick', kind: 'CLIP', url: 'https://video.example/1' };
  return { seasonId: season.id as string, participantId, replayId: await create(owner, '/competitions/replays', clip) };
}

/** Creates rows about a visible athlete of `owner`; those of the scouting area belong to `scout`. */
export async function createRowsAbout(owner: Client, scout: VerifiedClient, athleteId: string) {
  const shortlist = await createShortlist(scout);
  const entry = await addEntry(scout, shortlist, athleteId, { notes: 'Quick feet' });
  const scoutingReportId = await create(scout, `${entry}/reports`, report({ summary: 'Quick feet' }));
  const subject = { subjectType: 'ATHLETE', subjectId: athleteId };
  return {
    athleteId,
    shortlistId: lastPart(shortlist),
    entryId: lastPart(entry),
    scoutingReportId,
    contactRequestId: lastPart(await createContactRequest(scout, athleteId)),
    reportId: await create(scout, '/reports', { ...subject, category: 'OTHER', text: 'Quick feet' }),
    ...(await createApplication(owner, scout, athleteId)),
    ...(await createCareer(owner, athleteId)),
    ...(await createParticipation(owner, athleteId)),
  };
}

export type RowsAbout = Awaited<ReturnType<typeof createRowsAbout>>;
