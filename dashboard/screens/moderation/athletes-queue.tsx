/** The athletes whom nobody verified, or whose identity changed since, and those who are suspended. */
import { Text } from '@mantine/core';
import type { AthleteFilter, WaitingAthletesQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Moment } from '../../parts/moment.tsx';
import { said } from '../../parts/status-badge.tsx';
import type { Decision } from './decision-dialog.tsx';
import { chosenOf, Verification, WaitsFilter, type Waits } from './waits.tsx';
import { QueueTable } from './queue-table.tsx';
import type { QueueProps } from './queue-names.ts';

const waitingQuery = graphql(`
  query WaitingAthletes($after: String, $filter: AthleteFilter) {
    athletes(first: 50, after: $after, sort: CREATED_AT_ASC, filter: $filter) {
      nodes {
        id
        displayName
        givenName
        familyName
        dateOfBirth
        birthYear
        age
        sex
        nationalities
        sports {
          sport
          level
        }
        status
        visibility
        createdAt
        verification {
          status
          method
          at
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const verify: Decision = {
  verb: 'Verify',
  said: 'Verified',
  asks: 'How the identity was verified',
  document: graphql(`
    mutation VerifyAthlete($id: ID!, $words: String) {
      verifyAthlete(id: $id, method: $words) {
        id
      }
    }
  `),
};

const reject: Decision = {
  verb: 'Reject',
  said: 'Rejected',
  asks: 'Why',
  document: graphql(`
    mutation RejectAthlete($id: ID!, $words: String) {
      rejectAthlete(id: $id, reason: $words) {
        id
      }
    }
  `),
};

export const suspendAthlete: Decision = {
  verb: 'Suspend',
  said: 'Suspended',
  hides: 'Nobody but the owner sees the profile any more, until a moderator reinstates it.',
  document: graphql(`
    mutation SuspendAthlete($id: ID!, $words: String) {
      suspendAthlete(id: $id, reason: $words) {
        id
      }
    }
  `),
};

const reinstate: Decision = {
  verb: 'Reinstate',
  said: 'Reinstated',
  document: graphql(`
    mutation ReinstateAthlete($id: ID!) {
      reinstateAthlete(id: $id) {
        id
      }
    }
  `),
};

type Athlete = NonNullable<WaitingAthletesQuery['athletes']>['nodes'][number];

const columns: readonly Column<Athlete>[] = [
  {
    title: 'Athlete',
    cell: ({ displayName, givenName, familyName }) => (
      <>
        <Text inherit fw={600}>
          {displayName}
        </Text>
        <Text size="xs" c="dimmed">
          {[givenName, familyName].filter(Boolean).join(' ') || 'No full name'}
        </Text>
      </>
    ),
  },
  {
    title: 'Born',
    cell: ({ dateOfBirth, birthYear, age }) => `${dateOfBirth ?? birthYear ?? '–'}${age === null ? '' : ` (${age})`}`,
  },
  { title: 'Sex', cell: ({ sex }) => said(sex) },
  { title: 'Nationalities', cell: ({ nationalities }) => nationalities.join(', ') },
  {
    title: 'Sports',
    cell: ({ sports }) =>
      sports.map(({ sport, level }) => [said(sport), level && said(level).toLowerCase()].filter(Boolean).join(', ')).join('; '),
  },
  { title: 'Shown', cell: ({ status, visibility }) => `${said(status)}, ${said(visibility).toLowerCase()}` },
  { title: 'Verification', cell: ({ verification }) => <Verification {...verification} /> },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const waits: Waits<AthleteFilter> = {
  all: { label: 'All that wait', filter: { status: ['ACTIVE'], verification: ['PENDING', 'UNVERIFIED'] } },
  changed: { label: 'Changed since they were verified', filter: { status: ['ACTIVE'], verification: ['PENDING'] } },
  minors: { label: 'Minors without a consent', filter: { status: ['PENDING_CONSENT'] } },
  suspended: { label: 'Suspended', filter: { status: ['SUSPENDED'] } },
};

export function AthletesQueue({ after, waits: chosen, mayDecide }: QueueProps) {
  const waiting = useAsk(waitingQuery, { after, filter: chosenOf(waits, chosen) });
  return (
    <>
      <ListTools>
        <WaitsFilter waits={waits} value={chosen} />
      </ListTools>
      <Answered of={waiting} name="athletes that wait">
        {({ athletes: page }) => (
          <QueueTable
            label="Athletes that wait"
            columns={columns}
            rows={page?.nodes ?? []}
            pageInfo={page?.pageInfo}
            about={({ id, displayName }) => ({ id, name: displayName })}
            decisions={({ status }) => {
              if (!mayDecide) return [];
              return status === 'SUSPENDED' ? [reinstate] : [verify, reject, suspendAthlete];
            }}
          />
        )}
      </Answered>
    </>
  );
}
