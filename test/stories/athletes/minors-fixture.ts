/** Minors with consents, and viewers of every role, for tests of visibility. */
import { expect } from '@jest/globals';
import type { Scope } from '../../../schema/scopes.ts';
import type { Client } from '../../client.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from './people.ts';

/** An account with a verified organization, with or without a safeguarding officer. */
export async function verifiedAccount(
  platform: TestPlatform,
  moderator: Client,
  account: string,
  { officer, scopes }: { readonly officer: boolean; readonly scopes?: readonly Scope[] },
): Promise<Client & { readonly organizationId: string }> {
  const writer = await platform.account({ account });
  const created = await writer.post('/organizations', {
    type: 'CLUB',
    name: account,
    country: 'FR',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
    ...(officer && { safeguarding: { officerName: 'Sam Guard' } }),
  });
  expect(created.status).toBe(201);
  const organizationId: string = created.body.id;
  expect((await moderator.post(`/organizations/${organizationId}/verify`, {})).status).toBe(200);
  await platform.settled();
  const client = scopes ? await platform.account({ account, scopes }) : writer;
  return { ...client, organizationId };
}

export const consentBody = (scopes: readonly string[]) => ({
  guardian: { name: 'Maria Quillon', relationship: 'PARENT', email: 'maria@example.org' },
  scopes,
  textVersion: '2026-01',
  evidence: { kind: 'SIGNED_FORM', reference: 'folder 7' },
});

/** Records a consent for an athlete of the account. */
export async function consent(owner: Client, athleteId: string, scopes: readonly string[]): Promise<string> {
  const { status, body } = await owner.post(`/athletes/${athleteId}/consents`, consentBody(scopes));
  expect({ status, body }).toMatchObject({ status: 201, body: { effective: true, withdrawnAt: null } });
  return body.id;
}

/** A minor of the account with a guardian's consent to some scopes, including PROFILE, or hidden without scopes. */
export async function createMinor(owner: Client, scopes: readonly string[], more: object = {}): Promise<string> {
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(15, 100), displayName: 'Juno Dale', ...more });
  if (scopes.length > 0) await consent(owner, id, scopes);
  if (scopes.includes('PROFILE')) {
    const { status, body } = await owner.post(`/athletes/${id}/activate`);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ACTIVE' } });
  }
  return id;
}
