/** The list of administrators, which owners manage. */
import { Button, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { roleNames, roles } from '../../../schema/roles.ts';
import type { AdministratorsQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { ChoiceFilter, ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { SetupLinkDialog, type SetupLink } from '../../components/setup-link-dialog.tsx';
import { enumLabel, enumOptions } from '../../components/enum-label.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useHasScope, useSignedIn } from '../../session/session.ts';
import { signInMethods } from '../../session/sign-in-methods.ts';
import { AdministratorMenu } from './administrator-menu.tsx';
import { administratorStatuses } from './administrators-search.ts';
import { InviteAdministrator } from './invite-administrator.tsx';

const administratorsQuery = graphql(`
  query Administrators($after: String, $filter: AdministratorFilter) {
    administrators(first: 50, after: $after, filter: $filter) {
      nodes {
        id
        version
        name
        email
        role
        status
        lastSignedInAt
        signsInBy
        hasSecondFactor
        hasPasskeys
        erasedAt
        sessions {
          id
          createdAt
          lastSeenAt
          address
          userAgent
          current
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type Administrator = NonNullable<AdministratorsQuery['administrators']>['nodes'][number];

const columns: readonly Column<Administrator>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => enumLabel(role) },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <Timestamp at={lastSignedInAt} fallback="Never" /> },
  { title: 'Sign-in method', cell: ({ signsInBy }) => (signsInBy === null ? '–' : signInMethods[signsInBy]) },
  { title: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Yes' : 'No') },
];

const route = getRouteApi('/signed-in/administrators');

export function Administrators() {
  const { q, after = null, status, role } = route.useSearch();
  const filter = { q: q ?? null, status: status ? [status] : null, role: role ? [role] : null };
  const administrators = useGraphQuery(administratorsQuery, { after, filter });
  const canManage = useHasScope('administrators:write');
  const ownId = useSignedIn()?.administrator.id;
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<SetupLink | null>(null);
  const actions: Column<Administrator> = {
    title: 'Actions',
    cell: (administrator) => (
      <AdministratorMenu administrator={administrator} isSelf={administrator.id === ownId} onLink={setLink} />
    ),
  };
  return (
    <Screen
      title="Administrators"
      description="People with access to the dashboard, and their roles."
      actions={
        canManage ? (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            Invite administrator
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            Only owners can manage administrators.
          </Text>
        )
      }
    >
      <div>
        <ListFilters>
          <SearchBox label="Name or email" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(administratorStatuses)} />
          <ChoiceFilter name="role" label="Role" value={role} choices={enumOptions(roleNames)} />
        </ListFilters>
        <QueryResult query={administrators} name="administrators">
          {({ administrators: page }) => (
            <DataTable
              label="Administrators"
              columns={canManage ? [...columns, actions] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={<NoMatches title="No matching administrators" />}
            />
          )}
        </QueryResult>
      </div>
      <Section title="Roles">
        <DescriptionList items={roleNames.map((name) => [enumLabel(name), roles[name].allows])} />
      </Section>
      <InviteAdministrator opened={inviting} close={() => setInviting(false)} onLink={setLink} />
      <SetupLinkDialog link={link} close={() => setLink(null)} />
    </Screen>
  );
}
