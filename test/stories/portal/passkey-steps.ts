/** Steps with passkeys over HTTP, with an authenticator in software. */
import { expect } from '@jest/globals';
import { cookieOf, sameOrigin } from '../../administrator.ts';
import { assertPasskey, createPasskey, type Deviation, type Passkey } from '../../software-authenticator.ts';

let network = 0;
export const fromNewNetwork = (): Record<string, string> => {
  network += 1;
  return { 'x-forwarded-for': `203.0.${network >> 7}.${network % 128}` };
};

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly cookie: string;
}

interface Request {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly url?: string;
}

/** The response to each rejected passkey. */
export const rejection = {
  status: 401,
  body: { code: 'sign_in_failed', detail: 'The passkey was not accepted. Try again, or sign in with your password.' },
};

/** The steps at an origin with a host name. */
export function createPasskeySteps(origin: string) {
  /** A request to a route with any method; a body makes it a POST. */
  async function send(path: string, { body, headers = {}, method, url = origin }: Request) {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const { 'content-type': type, ...site } = sameOrigin;
    const all = { ...site, ...(body !== undefined && { 'content-type': type }), ...fromNewNetwork(), ...headers };
    const response = await fetch(`${url}${path}`, { ...init, ...(method && { method }), headers: all });
    const text = await response.text();
    // a test reads what it expects
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  /** The steps of a population. */
  function stepsAt(base: '/admin' | '/portal') {
    const steps = {
      async register({ cookie, password }: Person, deviation?: Deviation, name = 'Laptop') {
        const prepared = await send(`${base}/passkeys/options`, { body: { current: password }, headers: { cookie } });
        expect(prepared.status).toBe(200);
        const { passkey, response } = createPasskey(prepared.body, origin, deviation);
        const registered = await send(`${base}/passkeys`, { body: { name, ...response }, headers: { cookie } });
        return { passkey, response, registered };
      },
      async challenge() {
        const { body, headers } = await send(`${base}/session/passkey/options`, { body: {} });
        return { options: body, cookie: cookieOf({ headers }) };
      },
      /** Signs in with a passkey, with a response that deviates from a correct one. */
      async signIn(passkey: Passkey, deviation?: Deviation, headers?: Record<string, string>) {
        const { options, cookie } = await steps.challenge();
        const body = assertPasskey(passkey, options, origin, deviation);
        return send(`${base}/session/passkey`, { body, headers: { cookie, ...headers } });
      },
      list: async ({ cookie }: Person) => (await send(`${base}/passkeys`, { headers: { cookie } })).body,
      remove: ({ cookie }: Person, id: string) => send(`${base}/passkeys/${id}`, { method: 'DELETE', headers: { cookie } }),
    };
    return steps;
  }

  return { send, stepsAt };
}
