/** The environment variables of the OpenID provider of administrators, and the settings derived from them. */
import { oneOf, readEnvironment, text, url } from '../platform/env.ts';
import type { OidcSettings } from '../router/administration/oidc.ts';
import { roleNames } from '../schema/roles.ts';

const http = ['http:', 'https:'];

/** Variables of the OpenID provider for the sign-in of administrators, used by the process that serves the dashboard. */
export const oidcVariables = {
  OIDC_ISSUER: url({ description: 'OpenID provider for the sign-in of administrators', protocols: http }),
  OIDC_CLIENT_ID: text({ description: 'client ID at the provider' }),
  OIDC_CLIENT_SECRET: text({ description: 'client secret; not needed for a public client', secret: true }),
  OIDC_NAME: text({ description: 'label of the sign-in button', default: 'Single sign-on' }),
  OIDC_ROLE: oneOf(roleNames, { description: 'role of users without an invitation; without it they cannot sign in' }),
};

/** The OpenID provider; null if none is set. Throws Error for incomplete settings. */
export function oidcSettings(source: Readonly<Record<string, string | undefined>>): OidcSettings | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_ROLE } = readEnvironment(source, oidcVariables);
  if (OIDC_ISSUER === null) return null;
  if (OIDC_CLIENT_ID === null) throw new Error('OIDC_CLIENT_ID is required with OIDC_ISSUER. The provider issues it.');
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME,
    newcomerRole: OIDC_ROLE,
  };
}
