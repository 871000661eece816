/** An authenticator of the browser for tests: it creates passkeys and confirms each request. */
import type { Page } from 'playwright-core';

export interface VirtualAuthenticator {
  /** The number of stored passkeys. */
  credentials(): Promise<number>;
  /** Whether the person confirms: otherwise the requests of the page fail. */
  setVerified(isVerified: boolean): Promise<void>;
}

/** Adds an authenticator with discoverable credentials and user verification (Chrome DevTools Protocol, domain WebAuthn). */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
    async setVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
