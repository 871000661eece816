/** Who administers: the list for everybody, and for owners who else may enter. */
import { Button, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { roleNames, roles } from '../../../schema/roles.ts';
import type { AdministratorsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ChoiceFilter, ListTools, SearchBox } from '../../parts/list-tools.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { said, StatusBadge } from '../../parts/status-badge.tsx';
import { useMay, useSignedIn } from '../../session/session.ts';
import { AdministratorMenu } from './administrator-menu.tsx';
import { administratorStatuses } from './administrators-search.ts';
import { InviteAdministrator } from './invite-administrator.tsx';
import { SetupLinkOnce, type SetupLink } from './setup-link-once.tsx';

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

const ways = { PASSWORD: 'Password', OIDC: 'Provider' } as const;

const columns: readonly Column<Administrator>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'E-mail', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => said(role) },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <Moment at={lastSignedInAt} none="Never" /> },
  { title: 'Signs in by', cell: ({ signsInBy }) => (signsInBy === null ? '–' : ways[signsInBy]) },
];

const route = getRouteApi('/signed-in/administrators');

export function Administrators() {
  const { q, after = null, status, role } = route.useSearch();
  const filter = { q: q ?? null, status: status ? [status] : null, role: role ? [role] : null };
  const administrators = useAsk(administratorsQuery, { after, filter });
  const mayDecide = useMay('administrators:write');
  const own = useSignedIn()?.administrator.id;
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<SetupLink | null>(null);
  const actions: Column<Administrator> = {
    title: 'Actions',
    cell: (who) => <AdministratorMenu who={who} own={who.id === own} linked={setLink} />,
  };
  return (
    <Screen
      title="Administrators"
      says="Who may enter the dashboard, and as what."
      actions={
        mayDecide ? (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            Owners decide who administers.
          </Text>
        )
      }
    >
      <div>
        <ListTools>
          <SearchBox label="Name or e-mail" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={choices(administratorStatuses)} />
          <ChoiceFilter name="role" label="Role" value={role} choices={choices(roleNames)} />
        </ListTools>
        <Answered of={administrators} name="administrators">
          {({ administrators: page }) => (
            <DataTable
              label="Administrators"
              columns={mayDecide ? [...columns, actions] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={<Empty title="Nobody is like that">Ask for less: another word, status or role.</Empty>}
            />
          )}
        </Answered>
      </div>
      <Section title="Roles">
        <Facts of={roleNames.map((name) => [said(name), roles[name].allows])} />
      </Section>
      <InviteAdministrator opened={inviting} close={() => setInviting(false)} linked={setLink} />
      <SetupLinkOnce link={link} close={() => setLink(null)} />
    </Screen>
  );
}

const choices = (values: readonly string[]) => values.map((value) => ({ value, label: said(value) }));
