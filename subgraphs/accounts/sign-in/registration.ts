/** Registration of a portal user with an own account, where the operator allows it. The email address is not confirmed. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { RegisterUserInput, SignInClient } from '../generated/resolvers.ts';
import { userExists } from '../constraints.ts';
import { createOwnAccount } from '../members/own-account.ts';
import { insertUser, userPopulation } from '../portal-users/population.ts';
import { createErasedBlocks } from './erased-blocks.ts';
import { hashPassword } from './password.ts';
import { passwordViolations } from './password-rules.ts';
import { nameViolations, profileViolations, trimmed } from './profile.ts';
import { actingAs, newPersonId, startSession, writeResult, type NewSession } from './session-start.ts';

/** Violations of the name of an account. */
const accountViolations = (name: string) => nameViolations(name, { pointer: '/accountName', title: 'The name of the account' });

/** Throws Problem validation_failed (422), or conflict (409) for an address with a user or of an erased one. The router limits registrations per network. */
export async function registerUser(
  services: AreaServices,
  { password, ...given }: RegisterUserInput,
  client: SignInClient,
): Promise<NewSession> {
  const { database, writer } = services;
  const profile = trimmed({ name: given.name, email: given.email });
  const accountName = given.accountName.trim();
  rejectInvalid([...profileViolations(profile), ...accountViolations(accountName), ...passwordViolations(password, profile)]);
  const hash = await hashPassword(password);
  const id = await newPersonId(database);
  return writeResult(writer, actingAs(userPopulation, { id }, client.address), async (transaction) => {
    // the error for an address with a user, also a disabled one
    if (await createErasedBlocks(services).has(transaction, userPopulation, profile)) throw new Problem('conflict', userExists);
    const user = await insertUser(transaction, { id, ...profile }, hash, false);
    await createOwnAccount(transaction, id, accountName, profile.email);
    return startSession(transaction, userPopulation, user, client, 'PASSWORD');
  });
}
