/** Registration and sign-in with the passkeys of the browser (WebAuthn). */
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { app } from '../graph/app.ts';
import { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import type { Session } from './session.ts';
import { startSession } from './start-session.ts';

const post = <Body>(path: string, body: unknown): Promise<Body> =>
  requestJson<Body>(`${app.base}${path}`, { method: 'POST', body });

/** Loaded at the first use: most visits need no passkey. */
const library = () => import('@simplewebauthn/browser');

/** The errors of the browser that have a better text than the default. */
const messages: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
};

/** Waits for the browser. Browsers report canceled and failed dialogs in the same way. */
async function inBrowser<Response>(work: Promise<Response>): Promise<Response> {
  try {
    return await work;
  } catch (error) {
    const message = (error instanceof Error && messages[error.name]) || 'No passkey was selected. Try again.';
    throw new RequestError(message, { code: 'sign_in_failed' });
  }
}

/** Throws RequestError, also when the person cancels. */
export async function signInWithPasskey(): Promise<Session> {
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>('/session/passkey/options', {});
  const { startAuthentication } = await library();
  const { id, response } = await inBrowser(startAuthentication({ optionsJSON }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return startSession('/session/passkey', { id, clientDataJSON, authenticatorData, signature, userHandle });
}

export interface PasskeyProof {
  readonly name: string;
  readonly current: string;
  /** Of the second factor. */
  readonly code?: string;
}

/** Throws RequestError, also when the person cancels. */
export async function registerPasskey({ name, ...proof }: PasskeyProof): Promise<void> {
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options', proof);
  const { startRegistration } = await library();
  const { response } = await inBrowser(startRegistration({ optionsJSON }));
  await post('/passkeys', { name, clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject });
}
