/** Sign-in to the portal or the dashboard with the local OpenID provider, as a browser does it. */
import type { LocalProvider } from './oidc-provider.ts';

export interface EndedSignIn {
  /** The path after the sign-in. */
  readonly path: string;
  /** The session cookie of the portal; empty without a session. */
  readonly cookie: string;
}

/** Signs in with a new browser as a person with a verified address. */
export async function signInByProvider(
  provider: LocalProvider,
  portalUrl: string,
  sub: string,
  {
    email = `${sub}@example.com`,
    verified = true,
    headers = {},
    base = '/portal',
  }: { email?: string; verified?: boolean; headers?: Record<string, string>; base?: '/portal' | '/admin' } = {},
): Promise<EndedSignIn> {
  provider.setNextUser({ sub, email, email_verified: verified, name: sub });
  const cookies = new Map<string, Map<string, string>>();
  let url = `${portalUrl}${base}/oidc`;
  for (let steps = 0; steps < 20; steps += 1) {
    const { origin } = new URL(url);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, ...(origin === portalUrl && headers) } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    const next = new URL(response.headers.get('location') ?? '', url);
    if (next.origin === portalUrl && !next.pathname.startsWith(`${base}/oidc`)) {
      const token = jar.get('__Host-portal-session') ?? '';
      return { path: `${next.pathname}${next.search}`, cookie: token === '' ? '' : `__Host-portal-session=${token}` };
    }
    url = next.href;
  }
  throw new Error('Too many redirects');
}
