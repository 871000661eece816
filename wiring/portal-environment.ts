/** The environment variables of the portal of partners, and the settings derived from them. */
import { oneOf, readEnvironment, text, url } from '../platform/env.ts';
import type { PortalOptions } from './public-server/portal.ts';

const http = ['http:', 'https:'];

/** Variables of the portal of partners, used by the process that serves it. */
export const portalVariables = {
  PORTAL_REGISTRATION: oneOf(['true', 'false'], {
    description: 'whether anyone can register in the portal and gets an account with the free plan',
    default: 'false',
  }),
  PORTAL_OIDC_ISSUER: url({ description: 'OpenID provider for the sign-in of partners', protocols: http }),
  PORTAL_OIDC_CLIENT_ID: text({ description: 'client ID at the provider of partners' }),
  PORTAL_OIDC_CLIENT_SECRET: text({ description: 'client secret; not needed for a public client', secret: true }),
  PORTAL_OIDC_NAME: text({ description: 'label of the sign-in button of partners', default: 'Single sign-on' }),
};

/** The settings of the portal. Throws Error for incomplete settings. */
export function portalSettings(source: Readonly<Record<string, string | undefined>>): PortalOptions {
  const given = readEnvironment(source, portalVariables);
  const { PORTAL_OIDC_ISSUER: issuer, PORTAL_OIDC_CLIENT_ID: clientId } = given;
  const registration = given.PORTAL_REGISTRATION === 'true';
  if (issuer === null) return { registration, oidc: null };
  if (clientId === null) throw new Error('PORTAL_OIDC_CLIENT_ID is required with PORTAL_OIDC_ISSUER. The provider issues it.');
  const { PORTAL_OIDC_CLIENT_SECRET: clientSecret, PORTAL_OIDC_NAME: name } = given;
  return { registration, oidc: { issuer, clientId, clientSecret, name, newcomerRole: null } };
}
