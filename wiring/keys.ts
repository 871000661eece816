/** The keys of each role, so that a process has only the keys it needs. */
import { areaRole, passwordPurpose, relayRole, routerRole, sandboxRole } from '../platform/database/roles.ts';
import { apiKeyPepper } from '../platform/security/api-key.ts';
import { auditPurpose } from '../platform/events/audit-digest.ts';
import { networkLabelPurpose } from '../router/administration/network-labels.ts';
import { areas, type Area } from '../schema/areas.ts';

/** The purpose of the key that signs calls from one process to another. */
export const edge = (from: string, to: string): string => `edge/${from}-${to}`;

/** The purpose of the key that test data has in place of a key of the platform. */
export const sandboxPurpose = (purpose: string): string => `sandbox/${purpose}`;

/** The purpose of the key that signs tickets; only routers have it. */
export const ticketPurpose = 'ticket';

/** The purpose of the key that signs the URLs of photos. */
export const imagePurpose = 'image';

/** Processes that call the graph over HTTP. */
export const graphCallers: readonly string[] = [...areas, 'worker', 'sandbox'];

/** The purpose of the key that encrypts the secrets of webhooks. */
const webhookSecrets = 'webhook-secret/1';

/** The purpose of the key that encrypts the secrets of second factors. */
const secondFactors = 'second-factor/1';

/** The purpose of the key that signs the challenges of passkeys. */
const passkeyChallenges = 'passkey-challenge/1';

/** The purpose of the key that hashes what identified erased people. */
const erasedPeople = 'erased-person/1';

/** The purposes of the keys that the accounts area derives, also in a sandbox. */
const accountsSecrets = [apiKeyPepper, webhookSecrets, secondFactors, passkeyChallenges, erasedPeople];

const areaPurposes = (area: Area): string[] => [
  passwordPurpose(areaRole(area)),
  'cursor',
  edge('router', area),
  edge(area, 'router'),
  ...(area === 'accounts' ? [...accountsSecrets, edge('accounts', 'sandbox')] : []),
  ...(area === 'athletes' ? [imagePurpose] : []),
];

const purposes: Readonly<Record<string, readonly string[]>> = {
  rest: [edge('rest', 'router'), imagePurpose],
  router: [
    passwordPurpose(routerRole),
    apiKeyPepper,
    'address-pepper',
    networkLabelPurpose,
    ticketPurpose,
    edge('rest', 'router'),
    ...areas.map((area) => edge('router', area)),
    edge('router', 'sandbox'),
    ...graphCallers.map((caller) => edge(caller, 'router')),
  ],
  worker: [
    passwordPurpose(relayRole),
    ...areas.map((area) => passwordPurpose(areaRole(area))),
    'cursor',
    webhookSecrets,
    auditPurpose,
    edge('worker', 'router'),
  ],
  sandbox: [
    passwordPurpose(sandboxRole),
    ...['cursor', ...accountsSecrets].map(sandboxPurpose),
    imagePurpose,
    edge('router', 'sandbox'),
    edge('accounts', 'sandbox'),
    edge('sandbox', 'router'),
  ],
  ...Object.fromEntries(areas.map((area) => [area, areaPurposes(area)])),
};

/** The roles that can run with KEYS; the others need the root secret. */
export const keyedRoles: readonly string[] = Object.keys(purposes);

/** The purposes of a role's keys. Throws Error for a role without separate keys. */
export function purposesOf(role: string): readonly string[] {
  const found = purposes[role];
  if (found === undefined) throw new Error(`The role ${role} does not support KEYS. Set SECRET.`);
  return found;
}

/** The variable in .env with the keys of a role. */
export const keysVariable = (role: string): string => `${role.toUpperCase()}_KEYS`;
