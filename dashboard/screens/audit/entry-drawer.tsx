/** One entry of the audit log: who, what, from where, and each member before and after. */
import { Anchor, Code, Drawer, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ResourceLink } from '../../parts/resource-link.tsx';
import { said } from '../../parts/status-badge.tsx';
import { whoDid, type AuditEntry } from './audit-query.tsx';

interface DrawerProps {
  /** Null while there is none to show. */
  readonly entry: AuditEntry | null;
  readonly close: () => void;
}

export const AuditEntryDrawer = ({ entry, close }: DrawerProps) => (
  <Drawer
    opened={entry !== null}
    onClose={close}
    position="right"
    size="xl"
    title={entry === null ? '' : `${said(entry.action)}, ${said(entry.resourceType).toLowerCase()}`}
  >
    {entry !== null && <Entry entry={entry} close={close} />}
  </Drawer>
);

function Entry({ entry, close }: { readonly entry: AuditEntry; readonly close: () => void }) {
  const { at, area, resourceType, resourceId, version, reason, actor, changes } = entry;
  return (
    <Stack>
      <Facts
        of={[
          ['When', <Moment key="at" at={at} seconds />],
          ['Who', whoDid(entry)],
          ['E-mail', actor.administrator?.email],
          ['Key', actor.keyId],
          ['From', actor.address],
          ['Area', said(area)],
          ['Kind', said(resourceType)],
          ['Id', <ResourceLink key="id" type={resourceType} id={resourceId} name={resourceId} />],
          ['Version', version],
          ['Why', reason],
        ]}
      />
      <Anchor renderRoot={(props) => <Link to="/audit" search={{ resource: resourceId }} {...props} />} onClick={close}>
        Everything that was done to it
      </Anchor>
      <Title order={2}>What changed</Title>
      {changes.length === 0 ? (
        <Text c="dimmed">Nothing is told: it was deleted, erased, or only its state moved on.</Text>
      ) : (
        <Changes of={changes} />
      )}
    </Stack>
  );
}

const Changes = ({ of }: { readonly of: AuditEntry['changes'] }) => (
  <div role="group" aria-label="What changed, as a table" tabIndex={0} style={{ overflowX: 'auto' }}>
    <Table verticalSpacing="xs" aria-label="What changed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Member</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {of.map(({ field, before, after }) => (
          <Table.Tr key={field} style={{ verticalAlign: 'top' }}>
            <Table.Th scope="row">{field}</Table.Th>
            <Table.Td>
              <Value json={before} />
            </Table.Td>
            <Table.Td>
              <Value json={after} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);

const Value = ({ json }: { readonly json: string | null }) =>
  json === null ? (
    <Text inherit c="dimmed">
      Nothing
    </Text>
  ) : (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{json}</Code>
  );
