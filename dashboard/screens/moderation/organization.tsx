/** One organization: its data with evidence, teams, members, reports and history, and the decisions of a moderator. */
import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { History } from '../../components/history.tsx';
import { OrganizationLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { ModeratedOrganizationQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { DecisionButtons } from './decision-buttons.tsx';
import { externalIdsText, LinksSection, ReportsSection, VerificationRequests } from './evidence.tsx';
import { Memberships } from './memberships.tsx';
import { organizationDecisions } from './organization-decisions.ts';
import { organizationQuery } from './organization-query.ts';
import { VerificationCell } from './review-cells.tsx';

type Organization = NonNullable<ModeratedOrganizationQuery['organization']>;

const route = getRouteApi('/signed-in/moderation/organizations/$id');

export function OrganizationScreen() {
  const { id } = route.useParams();
  const query = useGraphQuery(organizationQuery, { id });
  const organization = query.data?.organization;
  return (
    <Screen
      title={organization?.name ?? 'Organization'}
      actions={organization && <DecisionButtons subject={organization} decisions={organizationDecisions(organization)} />}
    >
      <QueryResult query={query} name="organization">
        {({ organization: found, memberships, verificationRequests, reports }) =>
          found === null ? (
            <EmptyState title="Organization not found" />
          ) : (
            <Stack gap="lg">
              <Details {...found} />
              <LinksSection
                links={[
                  { label: 'Website', url: found.website },
                  { label: 'Logo', url: found.logoUrl },
                  { label: 'Safeguarding policy', url: found.safeguarding?.policyUrl },
                ]}
              />
              <VerificationRequests requests={verificationRequests?.nodes ?? []} />
              <ReportsSection reports={reports?.nodes ?? []} />
              <Memberships
                title="Members"
                memberships={memberships?.nodes ?? []}
                hasMore={memberships?.pageInfo.hasMore ?? false}
              />
            </Stack>
          )
        }
      </QueryResult>
      {organization && <History area="ORGANIZATIONS" resourceType="organization" resourceId={id} />}
    </Screen>
  );
}

const listed = (texts: readonly (string | null | undefined)[]): string | null => texts.filter(Boolean).join(', ') || null;

const Details = (organization: Organization) => {
  const { id, status, type, verification, contact, safeguarding, parentOrganization, teams } = organization;
  return (
    <Section title="Details">
      <DescriptionList
        items={[
          ['Status', <StatusBadge key="status" status={status} />],
          ['Verification', <VerificationCell key="verification" {...verification} />],
          ['Type', enumLabel(type)],
          ['Registered name', organization.legalName],
          ['Other names', listed([organization.shortName, ...organization.aliases])],
          ['Location', listed([organization.city, organization.region, organization.country])],
          ['Email domain', organization.emailDomain],
          ['License', listed([organization.licenceNumber, organization.licenceBody])],
          ['License expires', organization.licenceExpiresAt],
          ['Founded', organization.foundedYear],
          ['Sports', listed(organization.sports.map(enumLabel))],
          ['Level', organization.level && enumLabel(organization.level)],
          ['Contact', contact && listed([contact.name, contact.email, contact.phone])],
          ['Safeguarding officer', safeguarding?.officerName],
          ['Parent organization', parentOrganization && <OrganizationLink key="parent" {...parentOrganization} />],
          ['Teams', listed(teams.nodes.map(({ name }) => name))],
          ['IDs in other systems', externalIdsText(organization.externalIds)],
          ['Created', <Timestamp key="created" at={organization.createdAt} />],
          ['Updated', <Timestamp key="updated" at={organization.updatedAt} />],
          ['ID', <CopyableId key="id" label="organization ID" id={id} />],
        ]}
      />
    </Section>
  );
};
