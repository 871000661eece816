/** The memberships of an organization or athlete, with links to the other party. */
import { Text } from '@mantine/core';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { AthleteLink, OrganizationLink } from '../../components/links.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

interface Membership {
  readonly id: string;
  readonly status: string;
  readonly role: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly personName?: string | null;
  readonly athlete?: { readonly id: string; readonly displayName: string } | null;
  readonly organization?: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly name: string } | null;
}

interface MembershipsProps {
  readonly title: 'Members' | 'Memberships';
  readonly memberships: readonly Membership[];
  readonly hasMore: boolean;
}

function Party({ title, membership }: { readonly title: MembershipsProps['title']; readonly membership: Membership }) {
  const { athlete, organization, personName, team } = membership;
  if (title === 'Members')
    return athlete ? <AthleteLink id={athlete.id} name={athlete.displayName} /> : <span>{personName ?? '–'}</span>;
  return organization ? <OrganizationLink id={organization.id} name={organization.name} /> : <span>{team?.name ?? '–'}</span>;
}

const period = ({ startDate, endDate }: Membership): string => `${startDate ?? 'unknown'} – ${endDate ?? 'open'}`;

export function Memberships({ title, memberships, hasMore }: MembershipsProps) {
  const columns: readonly Column<Membership>[] = [
    {
      title: title === 'Members' ? 'Person' : 'Organization',
      cell: (membership) => <Party title={title} membership={membership} />,
    },
    { title: 'Role', cell: ({ role }) => enumLabel(role) },
    { title: 'Team', cell: ({ team }) => team?.name ?? '–' },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Period', cell: period },
  ];
  return (
    <Section title={title}>
      <DataTable
        label={title}
        columns={columns}
        rows={memberships}
        rowKey={({ id }) => id}
        empty={<EmptyState title={`No ${title.toLowerCase()}`} />}
      />
      {hasMore && <Text c="dimmed">The latest {memberships.length} are listed.</Text>}
    </Section>
  );
}
