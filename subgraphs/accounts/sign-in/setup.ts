/** Sign-in with a setup link: the first owner, an invitation, or a password reset. */
import { sql } from '../../../platform/database/database.ts';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { SYSTEM } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { hasOwner, lockAdministrators, administratorLinks } from '../administrators/population.ts';
import type { CompleteSetupInput, SignInClient } from '../generated/resolvers.ts';
import { signInFailed } from './credentials.ts';
import { createErasedBlocks } from './erased-blocks.ts';
import { hashPassword } from './password.ts';
import { passwordViolations } from './password-rules.ts';
import { setPassword } from './password-sign-in.ts';
import type { Population, SetupLinkRow } from './population.ts';
import { profileViolations, trimmed } from './profile.ts';
import type { SecondFactors } from './second-factors.ts';
import { actingAs, newPersonId, startSession, writeResult, type NewSession } from './session-start.ts';
import type { CreatedLink } from './setup-links.ts';
import { recordAttempt } from './throttle.ts';

/** Creates the link for the first owner; null if there is an owner. */
export const createFirstOwnerLink = ({ writer }: AreaServices): Promise<CreatedLink | null> =>
  writeResult(writer, { viewer: SYSTEM, notes: {} }, async (transaction) => {
    await lockAdministrators(transaction);
    const [row] = await transaction.query<{ has: boolean }>(sql`/* setup.hasOwner */ select ${hasOwner} as has`);
    return row?.has === true ? null : administratorLinks.insert(transaction, 'FIRST_OWNER', null);
  });

/** Setup links of a population over the area's database. */
export function createSetup(services: AreaServices, population: Population, factors: SecondFactors) {
  const { database, writer } = services;
  const blocks = createErasedBlocks(services);

  /** A link for a new password does not replace the second factor. Throws Problem sign_in_failed (401), rate_limited (429) or second_factor_required (401). */
  async function checkCode(link: SetupLinkRow, code: string | null | undefined, address: string): Promise<void> {
    if (!link.requiresCode || link.personId === null) return;
    const attempt = await recordAttempt(database, population, link.email ?? '', address);
    if (!(await factors.accept(link.personId, code ?? null))) throw signInFailed('Wrong code of the second factor.');
    await attempt.clear();
  }

  return {
    /** Throws Problem gone (410). */
    findLink: (token: string): Promise<SetupLinkRow> => population.findLink(database, token),
    /**
     * Sets the password and starts a session. Throws Problem gone (410: used, expired or replaced), conflict (409: the address has a user, who
     * accepts with an open session), sign_in_failed (401: a member invited an erased user), validation_failed (422) or the problems of the second factor.
     */
    async complete({ token, password, code, ...given }: CompleteSetupInput, client: SignInClient): Promise<NewSession> {
      const link = await population.findLink(database, token);
      const profile = trimmed({ name: link.name ?? given.name ?? '', email: link.email ?? given.email ?? '' });
      const isNew = link.personId === null;
      rejectInvalid([...(isNew ? profileViolations(profile) : []), ...passwordViolations(password, profile)]);
      await checkCode(link, code, client.address);
      const hash = await hashPassword(password);
      // after the checks of the input, so that a request that creates no user does not reveal whether the address has one
      if (link.isKnownUser) throw new Problem('conflict', 'This address has a user. Sign in to accept the invitation.');
      const id = link.personId ?? (await newPersonId(database));
      return writeResult(writer, actingAs(population, { id, role: link.role }, client.address), async (transaction) => {
        await population.lockAll(transaction);
        const locked = await population.findLink(transaction, token, true);
        await population.useLink(transaction, token);
        // members invite any address, an invitation of an administrator has removed the block
        if (isNew && link.purpose === 'INVITATION' && (await blocks.has(transaction, population, profile)))
          throw signInFailed(`This ${population.noun} is disabled.`);
        const action = link.purpose === 'RESET' ? 'password_reset' : 'set_up';
        const row = isNew
          ? await population.insertByLink(transaction, { id, ...profile }, locked, hash, token)
          : await setPassword(transaction, population, await population.lock(transaction, id), hash, { action });
        return startSession(transaction, population, row, client, 'PASSWORD');
      });
    },
  };
}
