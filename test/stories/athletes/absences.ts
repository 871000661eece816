/** Absences, for tests. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';

export const absencesPath = '/athletes/absences';

export const healthConsent = {
  textVersion: '2026-01',
  evidence: { kind: 'SIGNED_FORM', reference: 'folder 7' },
  givenOn: '2026-09-01',
};

/** Creates an absence and returns it. */
export async function createAbsence(client: Client, athleteId: string, more: object = {}) {
  const input = { athleteId, kind: 'INJURY', startDate: '2026-09-01', ...more };
  const { status, body } = await client.post(absencesPath, input);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}
