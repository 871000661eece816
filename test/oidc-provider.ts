/** A local OpenID provider. Its login page requires a login name only. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Person {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

export interface LocalProvider {
  readonly issuer: string;
  /** Registers the client with its redirect address. Until then the provider does not respond. */
  register(redirectUri: string): void;
  /** Sets the next user, who also consents. Null denies access. */
  setNextUser(person: Person | null): void;
  close(): Promise<void>;
}

export const client = { clientId: 'talent', clientSecret: 'a secret of the provider' } as const;

/** Creates the provider; `next` returns the user of the next login. */
function createHandler(issuer: string, redirectUri: string, next: () => Person | null): RequestListener {
  const people = new Map<string, Person>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  });

  async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const person = next();
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (person === null) return provider.interactionFinished(request, response, { error: 'access_denied' });
    people.set(person.sub, person);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: person.sub, remember: false } });
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
    grant.addOIDCScope('openid email profile');
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  const handle = provider.callback();
  return (request, response) =>
    void (request.url?.startsWith('/interaction/') === true ? decide(request, response) : handle(request, response));
}

/** Starts a provider on a free port. */
export async function openProvider(): Promise<LocalProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  let person: Person | null = null;
  return {
    issuer,
    register: (redirectUri) =>
      void server.on(
        'request',
        createHandler(issuer, redirectUri, () => person),
      ),
    setNextUser(next) {
      person = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
