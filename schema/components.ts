/** The components of the public status, and the health checks that each depends on. */
import { keysOf } from './records.ts';

interface Component {
  readonly title: string;
  /** Names of the checks in the health of the platform; the worst of them is the status of the component. */
  readonly checks: readonly string[];
}

export const components = {
  ATHLETES: { title: 'Athletes', checks: ['athletes'] },
  COMPETITIONS: { title: 'Competitions', checks: ['competitions'] },
  SCOUTING: { title: 'Scouting', checks: ['scouting'] },
  OPPORTUNITIES: { title: 'Opportunities', checks: ['opportunities'] },
  ORGANIZATIONS: { title: 'Organizations', checks: ['organizations'] },
  ACCOUNTS: { title: 'API keys and limits', checks: ['accounts', 'counters'] },
  EVENTS: { title: 'Events and webhooks', checks: ['relay'] },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof components;

export const componentNames = keysOf(components);
