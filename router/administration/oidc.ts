/** Sign-in with an OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 9700). */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import { Problem } from '../../schema/errors.ts';
import type { Role } from '../../schema/roles.ts';
import type { Identity } from './sessions.ts';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which only PKCE protects. */
  readonly clientSecret: string | null;
  /** Label of the sign-in button. */
  readonly name: string;
  /** Role of users without an invitation; null denies them access. */
  readonly newcomerRole: Role | null;
  /** Whether portal users without an invitation get an own account. Default: no. */
  readonly registers?: boolean;
}

/** State of a sign-in, stored in the browser while it visits the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcProvider {
  readonly name: string;
  /** The provider URL to redirect to, and the state to store. Throws Problem upstream_unavailable (503). */
  start(redirectUri: string): Promise<{ readonly location: string; readonly pending: PendingSignIn }>;
  /** The identity that the provider confirms. Throws Problem sign_in_failed (401) or upstream_unavailable (503). */
  complete(callbackUrl: URL, pending: PendingSignIn): Promise<Identity>;
}

const timeoutSeconds = 5;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The name and message of an error, for the log: its properties may contain codes and tokens. */
const summaryOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');

/** Whether the provider could not be reached, as opposed to a response that is invalid. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Error &&
    (/^(TimeoutError|AbortError)$/.test(error.name) || ('code' in error && error.code === 'OAUTH_TIMEOUT')));

/**
 * Discovers the provider's endpoints at the first sign-in, so that the router starts while the provider is down.
 * Throws Error when the issuer is neither HTTPS nor on the loopback interface.
 * @param logError receives a summary of each error
 */
export function createOidcProvider(settings: OidcSettings, logError: (summary: string) => void): OidcProvider {
  const { clientId, clientSecret, name, newcomerRole, registers = false } = settings;
  const issuer = new URL(settings.issuer);
  const insecure = issuer.protocol === 'http:';
  if (insecure && !loopback.test(issuer.hostname)) throw new Error('OIDC_ISSUER must be an https URL.');
  let known: Promise<Configuration> | null = null;

  function configuration(): Promise<Configuration> {
    known ??= discovery(issuer, clientId, clientSecret ?? undefined, undefined, {
      timeout: timeoutSeconds,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked as deprecated as a warning; used for the loopback interface only
      execute: insecure ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      // the next sign-in retries
      known = null;
      throw unavailable(error);
    });
    return known;
  }

  function unavailable(error: unknown): Problem {
    logError(summaryOf(error));
    return new Problem('upstream_unavailable', `${name} is unavailable. Try again shortly.`);
  }

  return {
    name,
    async start(redirectUri) {
      const pending = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const location = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      });
      return { location: location.href, pending };
    },
    async complete(callbackUrl, { state, nonce, verifier }) {
      const provider = await configuration();
      try {
        const tokens = await authorizationCodeGrant(provider, callbackUrl, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the response has no ID token');
        // many providers return the email address only from the user info endpoint
        const needsUserInfo = claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
        const profile = needsUserInfo ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
        const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          // an unverified address could belong to someone else
          email: profile['email_verified'] === true ? text(profile['email']) : null,
          name: text(profile['name']),
          newcomerRole,
          registers,
        };
      } catch (error) {
        if (isUnreachable(error)) throw unavailable(error);
        logError(summaryOf(error));
        throw new Problem('sign_in_failed', `${name} did not confirm your identity. Try again.`);
      }
    },
  };
}
