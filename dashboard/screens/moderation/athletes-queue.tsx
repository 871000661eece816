/** The moderation queue of athletes: unverified, changed since their verification, without consent, or suspended. */
import { enumLabel } from '../../components/enum-label.ts';
import { AthleteLink } from '../../components/links.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { AthleteQueueQuery, AthleteQueueQueryVariables } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { athleteDecisions } from './athlete-decisions.ts';
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

type Athlete = NonNullable<AthleteQueueQuery['athletes']>['nodes'][number];

const birth = ({ dateOfBirth, birthYear, age }: Athlete): string =>
  `${dateOfBirth ?? birthYear ?? '–'}${age === null ? '' : ` (${age})`}`;

const sportsList = ({ sports }: Athlete): string =>
  sports
    .map(({ sport, level }) => (level === null ? enumLabel(sport) : `${enumLabel(sport)}, ${enumLabel(level).toLowerCase()}`))
    .join('; ');

export const AthletesQueue = createQueue<AthleteQueueQuery, AthleteQueueQueryVariables, Athlete>({
  label: 'Athletes',
  hasSearch: true,
  document: athletesQuery,
  views: [
    needsReview,
    changedSinceVerification,
    {
      name: 'minors',
      label: 'Minors without consent',
      variablesOf: (after, q) => ({ after, filter: { status: ['PENDING_CONSENT'], ...(q !== undefined && { q }) } }),
    },
    suspended,
  ],
  pageOf: ({ athletes }) => athletes,
  columns: [
    {
      title: 'Athlete',
      cell: ({ id, displayName, givenName, familyName }) => (
        <TitleCell
          title={<AthleteLink id={id} name={displayName} />}
          subtitle={[givenName, familyName].filter(Boolean).join(' ') || 'No full name'}
        />
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
  decisionsOf: athleteDecisions,
});
