/** `/.well-known/security.txt`: where to report vulnerabilities (RFC 9116). */
import type { FastifyInstance } from 'fastify';

export interface SecurityContacts {
  /** URIs, best first. */
  readonly contacts: readonly string[];
  /** Page of the policy for reports. */
  readonly policy: string | null;
}

const path = '/.well-known/security.txt';
const dayMs = 86_400_000;
/** RFC 9116 section 2.5.5 recommends less than a year. */
const validDays = 180;

/** The file at a time. It expires at the start of a day in UTC, so that copies of the same day are equal. */
export function securityText({ contacts, policy }: SecurityContacts, publicUrl: string | null, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / dayMs) + validDays) * dayMs);
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    ...(publicUrl === null ? [] : [`Canonical: ${new URL(path, publicUrl).href}`]),
    ...(policy === null ? [] : [`Policy: ${policy}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Serves the file. Without contacts the path is unknown. */
export function addSecurityText(
  app: FastifyInstance,
  { security = null, publicUrl }: { readonly security?: SecurityContacts | null | undefined; readonly publicUrl: string | null },
): void {
  if (security === null) return;
  app.get(path, (_, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=86400' })
      .send(securityText(security, publicUrl, Date.now())),
  );
}
