/** Challenges of passkeys are random, signed per population, and valid for five minutes. */
import { expect, test } from '@jest/globals';
import { generateSecret, openSecrets } from '../../../platform/security/secrets.ts';
import { createChallenges } from '../../../subgraphs/accounts/passkeys/challenges.ts';

const secrets = openSecrets(generateSecret());
const users = createChallenges(secrets, 'USERS');
const start = 1_800_000_000_000;

test('a challenge is valid for five minutes', () => {
  const { challenge, token } = users.create(start);
  expect(users.open(token, start + 300_000)).toEqual({ challenge, createdAtMs: start });
  expect(users.open(token, start + 300_001)).toBeNull();
});

test('challenges of the same time differ', () => {
  expect(new Set(Array.from({ length: 100 }, () => users.create(start).challenge)).size).toBe(100);
});

test('a challenge of another population or secret, or a changed one, is rejected', () => {
  const { challenge, token } = users.create(start);
  expect(createChallenges(secrets, 'ADMINISTRATORS').open(token, start)).toBeNull();
  expect(createChallenges(openSecrets(generateSecret()), 'USERS').open(token, start)).toBeNull();
  const later = `${users.create(start + 1).challenge}.${token.split('.')[1] ?? ''}`;
  for (const wrong of [later, challenge, `${challenge}.`, '.', '']) expect(users.open(wrong, start)).toBeNull();
});
