/** Sign-in by an OpenID provider: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 9700). */
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
  /** Absent for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** What the button says. */
  readonly name: string;
  /** The role of whom nobody invited; null: they may not enter. */
  readonly newcomerRole: Role | null;
}

/** What the browser keeps while it is at the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcProvider {
  readonly name: string;
  /** Where the browser goes, and what it is to bring back. Throws Problem upstream_unavailable (503). */
  start(redirectUri: string): Promise<{ readonly location: string; readonly pending: PendingSignIn }>;
  /** Whom the provider vouches for. Throws Problem sign_in_failed (401) or upstream_unavailable (503). */
  complete(callbackUrl: URL, pending: PendingSignIn): Promise<Identity>;
}

const timeoutSeconds = 5;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A fault in words for the log: what it carries may hold codes and tokens. */
const wordsOf = (fault: unknown): string => (fault instanceof Error ? `${fault.name}: ${fault.message}` : 'unknown');

/** Codes of openid-client for what did not come about between us and the provider, as opposed to what it said. */
const isUnreachable = (fault: unknown): boolean =>
  fault instanceof TypeError ||
  (fault instanceof Error &&
    (/^(TimeoutError|AbortError)$/.test(fault.name) || ('code' in fault && fault.code === 'OAUTH_TIMEOUT')));

/**
 * The provider of the settings; it is asked for its endpoints when somebody first signs in, so that one that is away stops no start.
 * Throws Error when the issuer is neither HTTPS nor on this machine.
 * @param tell is told of faults in words, for the log
 */
export function createOidcProvider(settings: OidcSettings, tell: (words: string) => void): OidcProvider {
  const { clientId, clientSecret, name, newcomerRole } = settings;
  const issuer = new URL(settings.issuer);
  const insecure = issuer.protocol === 'http:';
  if (insecure && !loopback.test(issuer.hostname)) throw new Error('OIDC_ISSUER must be https: whoever listens could sign in.');
  let known: Promise<Configuration> | null = null;

  function configuration(): Promise<Configuration> {
    known ??= discovery(issuer, clientId, clientSecret ?? undefined, undefined, {
      timeout: timeoutSeconds,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated to be noticed: it is for this machine only, as tested above
      execute: insecure ? [allowInsecureRequests] : [],
    }).catch((fault: unknown) => {
      // asked again by the next one
      known = null;
      throw unavailable(fault);
    });
    return known;
  }

  function unavailable(fault: unknown): Problem {
    tell(wordsOf(fault));
    return new Problem('upstream_unavailable', `${name} does not answer. Try again shortly.`);
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
        if (claims === undefined) throw new Error('there is no ID token');
        // many providers say more of somebody at their user info endpoint only
        const asks = claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
        const told = asks ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
        const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          // an address that nobody verified is whatever somebody typed
          email: told['email_verified'] === true ? text(told['email']) : null,
          name: text(told['name']),
          newcomerRole,
        };
      } catch (fault) {
        if (isUnreachable(fault)) throw unavailable(fault);
        tell(wordsOf(fault));
        throw new Problem('sign_in_failed', `${name} vouched for nobody.`);
      }
    },
  };
}
