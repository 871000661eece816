/** Which role holds which keys: a process can sign, open and log in as nothing else. */
import { areaRole, passwordPurpose, relayRole, routerRole } from '../platform/database/roles.ts';
import { areas, type Area } from '../schema/areas.ts';
import { allAreas } from '../subgraphs/runtime/all-areas.ts';

/** The purpose of the key with which one process signs its calls to another. */
export const edge = (from: string, to: string): string => `edge/${from}-${to}`;

/** With which the router makes tickets for its own eyes. */
export const ticketPurpose = 'ticket';

/** Areas with projections, or with what is due at a moment: the worker writes these with the role of the area. */
export const projecting: readonly Area[] = areas.filter((area) => allAreas[area].consumers);

/** Who asks the graph over the wire. */
export const graphCallers: readonly string[] = [...areas, 'worker'];

/** What checks and makes the hashes of API keys. */
const pepper = 'api-key-pepper/1';

const areaPurposes = (area: Area): string[] => [
  passwordPurpose(areaRole(area)),
  'cursor',
  edge('router', area),
  edge(area, 'router'),
  ...(area === 'accounts' ? [pepper] : []),
];

const purposes: Readonly<Record<string, readonly string[]>> = {
  rest: [edge('rest', 'router')],
  router: [
    passwordPurpose(routerRole),
    pepper,
    'address-pepper',
    ticketPurpose,
    edge('rest', 'router'),
    ...areas.map((area) => edge('router', area)),
    ...graphCallers.map((caller) => edge(caller, 'router')),
  ],
  worker: [
    passwordPurpose(relayRole),
    ...projecting.map((area) => passwordPurpose(areaRole(area))),
    'cursor',
    edge('worker', 'router'),
  ],
  ...Object.fromEntries(areas.map((area) => [area, areaPurposes(area)])),
};

/** The roles that are given keys of their own; the others need the root secret. */
export const keyedRoles: readonly string[] = Object.keys(purposes);

/** The purposes of a role's keys. Throws Error when there is no such role. */
export function purposesOf(role: string): readonly string[] {
  const known = purposes[role];
  if (known === undefined) throw new Error(`The role ${role} has no keys of its own: give it SECRET.`);
  return known;
}

/** The variable of .env that holds a role's keys. */
export const keysVariable = (role: string): string => `${role.toUpperCase()}_KEYS`;
