/** What only the portal has: `/portal/invitation` joins an account with an open session, `/portal/registration` creates a user with an own account. */
import type { FastifyPluginAsync } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import type { NetworkLimit } from '../administration/network-limit.ts';
import { stringsOf } from '../administration/request-strings.ts';
import type { UserSession } from '../administration/sessions.ts';
import { clientOf } from '../administration/sign-in-request.ts';
import { protectRoutes, sessionView } from '../administration/sign-in-routes.ts';
import { userCookie } from './member-of-request.ts';
import type { PortalSessions } from './members.ts';
import type { RegistrationLimit } from './registration-limit.ts';

export interface PortalRoutesOptions {
  readonly sessions: PortalSessions;
  readonly publicUrl: string | null;
  /** Limits requests per network. */
  readonly limit: NetworkLimit;
  /** Whether anyone can register. */
  readonly registration: boolean;
  /** Limits registrations with a password or a provider. */
  readonly registrations: RegistrationLimit;
}

/** What pages read of a session. */
export const userView = (session: UserSession) => ({
  ...sessionView(session),
  user: session.user,
  memberships: session.memberships,
});

/** The routes; they need @fastify/cookie. */
export const portalRoutes: FastifyPluginAsync<PortalRoutesOptions> = async (app, options) => {
  const { sessions, publicUrl, limit, registration, registrations } = options;
  const { labelOf } = sessions;
  await app.register(async (scope) => {
    protectRoutes(scope, { publicUrl, limit, labelOf });
    scope.post('/portal/invitation', async (request) => {
      const sessionToken = userCookie.tokenOf(request);
      const { token } = stringsOf(request.body, ['token']);
      const proof = { token, address: request.clientAddress };
      const session = sessionToken === null ? null : await sessions.acceptInvitation({ sessionToken, ...proof });
      if (session === null) throw new Problem('sign_in_required', 'Sign in to accept the invitation.');
      return userView(session);
    });
    await Promise.resolve();
  });
  if (!registration) return;
  await app.register(async (scope) => {
    protectRoutes(scope, { publicUrl, limit: registrations.attempts, labelOf });
    scope.post('/portal/registration', async (request, reply) => {
      const input = stringsOf(request.body, ['email', 'name', 'accountName', 'password']);
      const client = clientOf(request, userCookie);
      const { token, session } = await registrations.run(client.address, () => sessions.register(input, client));
      return userCookie.set(reply, token).send(userView(session));
    });
    await Promise.resolve();
  });
};
