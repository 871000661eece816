/** One athlete: the data with evidence, consents, memberships, reports and history, and the decisions of a moderator. */
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { History } from '../../components/history.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { WithheldNotice } from '../../components/withheld-notice.tsx';
import type { ModeratedAthleteQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { useReadsMinors } from '../../session/session.ts';
import { athleteDecisions } from './athlete-decisions.ts';
import { athleteQuery } from './athlete-query.ts';
import { DecisionButtons } from './decision-buttons.tsx';
import { externalIdsText, LinksSection, ReportsSection } from './evidence.tsx';
import { Memberships } from './memberships.tsx';
import { VerificationCell } from './review-cells.tsx';

type Athlete = NonNullable<ModeratedAthleteQuery['athlete']>;
type Consent = NonNullable<ModeratedAthleteQuery['athleteConsents']>['nodes'][number];

const route = getRouteApi('/signed-in/moderation/athletes/$id');

export function AthleteScreen() {
  const { id } = route.useParams();
  const query = useGraphQuery(athleteQuery, { id });
  const readsMinors = useReadsMinors();
  const athlete = query.data?.athlete;
  return (
    <Screen
      title={athlete?.displayName ?? 'Athlete'}
      actions={
        athlete && (
          <DecisionButtons subject={{ id: athlete.id, name: athlete.displayName }} decisions={athleteDecisions(athlete)} />
        )
      }
    >
      <QueryResult query={query} name="athlete">
        {({ athlete: found, memberships, athleteConsents, reports }) =>
          found === null ? (
            <EmptyState title="Athlete not found">
              {!readsMinors && 'Your role does not read hidden profiles of minors.'}
            </EmptyState>
          ) : (
            <Stack gap="lg">
              {found.restricted && <WithheldNotice />}
              <Details {...found} />
              <LinksSection links={found.media.map(({ kind, title, url }) => ({ label: title ?? enumLabel(kind), url }))} />
              <Consents consents={athleteConsents?.nodes ?? []} />
              <ReportsSection reports={reports?.nodes ?? []} />
              <Memberships
                title="Memberships"
                memberships={memberships?.nodes ?? []}
                hasMore={memberships?.pageInfo.hasMore ?? false}
              />
            </Stack>
          )
        }
      </QueryResult>
      {athlete && <History area="ATHLETES" resourceType="athlete" resourceId={athlete.id} />}
    </Screen>
  );
}

const listed = (texts: readonly (string | null | undefined)[]): string | null => texts.filter(Boolean).join(', ') || null;

const sportText = ({ sport, discipline, positions, level }: Athlete['sports'][number]): string =>
  [enumLabel(sport), discipline, ...positions, level && enumLabel(level)].filter(Boolean).join(', ');

const Details = (athlete: Athlete) => {
  const { residence, age } = athlete;
  const birth = athlete.dateOfBirth ?? athlete.birthYear;
  return (
    <Section title="Details">
      <DescriptionList
        items={[
          ['Status', <StatusBadge key="status" status={athlete.status} />],
          ['Verification', <VerificationCell key="verification" {...athlete.verification} />],
          ['Visibility', enumLabel(athlete.visibility)],
          ['Full name', listed([athlete.givenName, athlete.familyName])?.replace(', ', ' ')],
          ['Other names', listed([athlete.knownAs, ...athlete.names.map(({ value }) => value)])],
          ['Born (age)', birth === null ? null : `${birth}${age === null ? '' : ` (${age})`}`],
          ['Age group', enumLabel(athlete.ageGroup)],
          ['Sex', enumLabel(athlete.sex)],
          ['Nationalities', listed(athlete.nationalities)],
          ['Residence', residence && listed([residence.city, residence.region, residence.country])],
          ['Sports', athlete.sports.map(sportText).join('; ') || null],
          ['Height', athlete.heightCm === null ? null : `${athlete.heightCm} cm`],
          ['Weight', athlete.weightKg === null ? null : `${athlete.weightKg} kg`],
          ['IDs in other systems', externalIdsText(athlete.externalIds)],
          ['Created', <Timestamp key="created" at={athlete.createdAt} />],
          ['Updated', <Timestamp key="updated" at={athlete.updatedAt} />],
          ['ID', <CopyableId key="id" label="athlete ID" id={athlete.id} />],
        ]}
      />
    </Section>
  );
};

/** The consents of guardians, of minors only. */
function Consents({ consents }: { readonly consents: readonly Consent[] }) {
  if (consents.length === 0) return null;
  return (
    <Section title="Consents">
      {consents.map(({ id, createdAt, scopes, effective, withdrawnAt, guardian, evidence }) => (
        <Stack key={id} gap={2}>
          <Text component="div" inherit>
            {guardian.name} ({enumLabel(guardian.relationship).toLowerCase()}), <Timestamp at={createdAt} />
          </Text>
          <Text c="dimmed">
            {scopes.map(enumLabel).join(', ')}. {enumLabel(evidence.kind)} {evidence.reference}.{' '}
            {withdrawnAt === null ? (effective ? 'Effective.' : 'Not effective.') : 'Withdrawn.'}
          </Text>
        </Stack>
      ))}
    </Section>
  );
}
