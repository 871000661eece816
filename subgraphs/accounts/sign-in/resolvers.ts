/** Resolvers of sign-in: only the router calls them. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forPlatform } from '../access.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { SessionReads } from '../administrators/sessions.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createIdentitySignIn } from './identities.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import { createSetup } from './setup.ts';

/** Sign-in by password, by OpenID identity and by setup link. */
export function signInResolvers(services: AreaServices, administrators: AdministratorReads, sessions: SessionReads) {
  const setup = createSetup(services);
  const passwords = createPasswordSignIn(services, sessions);
  const identities = createIdentitySignIn(services);

  return {
    Query: {
      hasAdministrators: forPlatform(() => administrators.exist()),
      openSession: forPlatform(({ token }) => sessions.open(token)),
      setupLink: forPlatform(({ token }) => setup.findLink(token)),
    },
    Mutation: {
      createSetupLink: forPlatform(() => setup.createLink()),
      completeSetup: forPlatform(({ input, client }) => setup.complete(input, client)),
      signIn: forPlatform(({ input, client }) => passwords.signIn(input, client)),
      signInByIdentity: forPlatform(({ input, client }) => identities.signIn(input, client)),
      touchSession: forPlatform(({ token }) => sessions.touch(token)),
      endSession: forPlatform((args) => passwords.endSession(args)),
      changePassword: forPlatform((args) => passwords.changePassword(args)),
    },
    OpenSession: {
      async administrator({ administratorId }, _, context) {
        const row = await context.load(administrators.byId, administratorId);
        if (row === null) throw new Error('The administrator of a session does not exist');
        return row;
      },
    },
  } satisfies Resolvers;
}
