/** The environment variables of security.txt, and the settings derived from them. */
import { list, readEnvironment, url } from '../platform/env.ts';
import type { SecurityContacts } from '../platform/http/security-txt.ts';

/** A URI as RFC 9116 section 2.5.3 requires it; null for anything else, such as an address without `mailto:`. */
const contactOf = (word: string): string | null =>
  /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(word) ? word : null;

/** Variables of the public servers for reports of vulnerabilities. */
export const securityVariables = {
  SECURITY_CONTACT: list(
    { description: 'where to report vulnerabilities, best first; without it there is no security.txt', default: [] },
    'URIs (mailto:…, https://…, tel:+…)',
    contactOf,
  ),
  SECURITY_POLICY: url({ description: 'page of the policy for reports of vulnerabilities', protocols: ['https:'] }),
};

/** The contacts of the operator; null without one. */
export function securityContacts(source: Readonly<Record<string, string | undefined>>): SecurityContacts | null {
  const { SECURITY_CONTACT: contacts, SECURITY_POLICY: policy } = readEnvironment(source, securityVariables);
  return contacts.length === 0 ? null : { contacts, policy };
}
