/** The kinds of past decisions, their query, and the decision that undoes one. */
import type { Area, PastDecisionsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { athleteDecisions } from './athlete-decisions.ts';
import type { Decision } from './decisions.ts';
import { organizationDecisions } from './organization-decisions.ts';

export const decisionsQuery = graphql(`
  query PastDecisions($after: String, $filter: AuditFilter!) {
    auditEntries(first: 50, after: $after, filter: $filter) {
      nodes {
        id
        at
        action
        reason
        resourceId
        actor {
          kind
          administratorId
          administrator {
            name
          }
          keyId
          key {
            name
          }
        }
        organization {
          id
          name
          status
          verification {
            status
          }
        }
        athlete {
          id
          displayName
          status
          verification {
            status
          }
        }
        replay {
          title
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type PastDecision = NonNullable<PastDecisionsQuery['auditEntries']>['nodes'][number];

interface DecidedKind {
  readonly name: string;
  readonly label: string;
  readonly area: Area;
  readonly resourceType: string;
  readonly actions: readonly string[];
}

const reviewed = ['verify', 'reject', 'suspend', 'reinstate'];

export const decidedKinds = [
  { name: 'organizations', label: 'Organizations', area: 'ORGANIZATIONS', resourceType: 'organization', actions: reviewed },
  { name: 'athletes', label: 'Athletes', area: 'ATHLETES', resourceType: 'athlete', actions: reviewed },
  {
    name: 'statistics',
    label: 'Statistics',
    area: 'ATHLETES',
    resourceType: 'statistics',
    actions: ['verify', 'reject'],
  },
  { name: 'replays', label: 'Replays', area: 'COMPETITIONS', resourceType: 'replay', actions: ['publish', 'take_down'] },
  { name: 'reports', label: 'Reports', area: 'ACCOUNTS', resourceType: 'report', actions: ['uphold', 'dismiss'] },
] as const satisfies readonly DecidedKind[];

export const kindOf = (name: string | undefined): DecidedKind =>
  decidedKinds.find((kind) => kind.name === name) ?? decidedKinds[0];

/** What undoes a decision, while its effect lasts. Other decisions have no inverse: take-downs and decisions on reports. */
const inverses: Readonly<Record<string, { readonly verb: string; readonly effect: string }>> = {
  verify: { verb: 'Reject', effect: 'VERIFIED' },
  reject: { verb: 'Verify', effect: 'REJECTED' },
  suspend: { verb: 'Reinstate', effect: 'SUSPENDED' },
  reinstate: { verb: 'Suspend', effect: 'ACTIVE' },
};

const isSameMatter = (one: string, other: string): boolean =>
  ['verify', 'reject'].includes(one) === ['verify', 'reject'].includes(other);

/** The decision that undoes a past one: of the latest decision about the resource and the matter only. */
export function undoOf(past: PastDecision, all: readonly PastDecision[]): Decision | null {
  const resource = past.organization ?? past.athlete;
  const inverse = inverses[past.action];
  if (resource === null || inverse === undefined) return null;
  const latest = all.find(({ resourceId, action }) => resourceId === past.resourceId && isSameMatter(action, past.action));
  const isLasting = [resource.status, resource.verification.status].some((status) => status === inverse.effect);
  if (latest !== past || !isLasting) return null;
  const decisions = past.organization === null ? athleteDecisions(resource) : organizationDecisions(resource);
  return decisions.find(({ verb }) => verb === inverse.verb) ?? null;
}
