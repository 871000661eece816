/** Sets up the second factor of an administrator or portal user over HTTP. */
import { codeOf, stepAt } from '../subgraphs/accounts/sign-in/totp.ts';
import { postSameOrigin } from './administrator.ts';
import { bytesOf } from './stories/portal/base32.ts';

interface Person {
  readonly cookie: string;
  readonly password: string;
}

/** Throws Error for an error response. */
export async function setUpSecondFactor(url: string, base: '/admin' | '/portal', { cookie, password }: Person): Promise<void> {
  const prepared = await postSameOrigin(url, `${base}/second-factor`, { current: password }, { cookie });
  const code = codeOf(bytesOf(prepared.body.secret), stepAt(Date.now()));
  const confirmed = await postSameOrigin(url, `${base}/second-factor/confirmation`, { code }, { cookie });
  if (confirmed.status !== 200) throw new Error(`no second factor: ${confirmed.status} ${JSON.stringify(confirmed.body)}`);
}
