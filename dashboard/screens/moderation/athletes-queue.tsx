/** The moderation queue of athletes: unverified, changed since their verification, without consent, or suspended. */
import { enumLabel } from '../../components/enum-label.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import type { AthleteQueueQuery, AthleteQueueQueryVariables } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { reinstate, reject, suspend, verify } from './decisions.ts';
import { createQueue } from './queue.tsx';
import { TitleCell, VerificationCell } from './review-cells.tsx';
import { changedSinceVerification, needsReview, suspended } from './review-views.ts';

const athletesQuery = graphql(`
  query AthleteQueue($after: String, $filter: AthleteFilter) {
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

const verifyMutation = graphql(`
  mutation VerifyAthlete($id: ID!, $text: String) {
    verifyAthlete(id: $id, method: $text) {
      id
    }
  }
`);
const rejectMutation = graphql(`
  mutation RejectAthlete($id: ID!, $text: String) {
    rejectAthlete(id: $id, reason: $text) {
      id
    }
  }
`);
const suspendMutation = graphql(`
  mutation SuspendAthlete($id: ID!, $text: String) {
    suspendAthlete(id: $id, reason: $text) {
      id
    }
  }
`);
const reinstateMutation = graphql(`
  mutation ReinstateAthlete($id: ID!) {
    reinstateAthlete(id: $id) {
      id
    }
  }
`);

const reviewDecisions = [
  verify(verifyMutation, 'Verification method'),
  reject(rejectMutation),
  suspend(suspendMutation, 'Only the owner can see a suspended athlete, until a moderator reinstates the profile.'),
];
const suspendedDecisions = [reinstate(reinstateMutation)];

type Athlete = NonNullable<AthleteQueueQuery['athletes']>['nodes'][number];

const birth = ({ dateOfBirth, birthYear, age }: Athlete): string =>
  `${dateOfBirth ?? birthYear ?? '–'}${age === null ? '' : ` (${age})`}`;

const sportsList = ({ sports }: Athlete): string =>
  sports
    .map(({ sport, level }) => (level === null ? enumLabel(sport) : `${enumLabel(sport)}, ${enumLabel(level).toLowerCase()}`))
    .join('; ');

export const AthletesQueue = createQueue<AthleteQueueQuery, AthleteQueueQueryVariables, Athlete>({
  label: 'Athletes',
  document: athletesQuery,
  views: [
    needsReview,
    changedSinceVerification,
    {
      name: 'minors',
      label: 'Minors without consent',
      variablesOf: (after) => ({ after, filter: { status: ['PENDING_CONSENT'] } }),
    },
    suspended,
  ],
  pageOf: ({ athletes }) => athletes,
  columns: [
    {
      title: 'Athlete',
      cell: ({ displayName, givenName, familyName }) => (
        <TitleCell title={displayName} subtitle={[givenName, familyName].filter(Boolean).join(' ') || 'No full name'} />
      ),
    },
    { title: 'Born (age)', cell: birth },
    { title: 'Sex', cell: ({ sex }) => enumLabel(sex) },
    { title: 'Nationalities', cell: ({ nationalities }) => nationalities.join(', ') },
    { title: 'Sports', cell: sportsList },
    { title: 'Status', cell: ({ status, visibility }) => `${enumLabel(status)}, ${enumLabel(visibility).toLowerCase()}` },
    { title: 'Verification', cell: ({ verification }) => <VerificationCell {...verification} /> },
    { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  ],
  subjectOf: ({ id, displayName }) => ({ id, name: displayName }),
  decisionsOf: ({ status }) => (status === 'SUSPENDED' ? suspendedDecisions : reviewDecisions),
});
