/** The drawer with the details of an audit log entry, including each field before and after the change. */
import { Anchor, Code, Drawer, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ResourceLink } from '../../components/resource-link.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { actionLabel, actorLabel, resourceLabel } from '../../components/audit-labels.ts';
import { ScrollableTable } from '../../components/scrollable-table.tsx';
import { WithheldNotice } from '../../components/withheld-notice.tsx';
import { resourceNameOf, type AuditEntry } from './audit-query.ts';

interface DrawerProps {
  /** Null while the drawer is closed. */
  readonly entry: AuditEntry | null;
  readonly close: () => void;
}

export const AuditEntryDrawer = ({ entry, close }: DrawerProps) => (
  <Drawer
    opened={entry !== null}
    onClose={close}
    position="right"
    size="xl"
    title={entry === null ? '' : `${actionLabel(entry.action)}, ${resourceLabel(entry.resourceType)}`}
  >
    {entry !== null && <Entry entry={entry} close={close} />}
  </Drawer>
);

function Entry({ entry, close }: { readonly entry: AuditEntry; readonly close: () => void }) {
  const { at, area, resourceType, resourceId, version, action, reason, withheld, actor, changes } = entry;
  return (
    <Stack>
      <DescriptionList
        items={[
          ['Time', <Timestamp key="at" at={at} seconds />],
          ['Actor', actorLabel(actor)],
          ['Email', actor.administrator?.email],
          ['API key', actor.keyId],
          ['Network', actor.address],
          ['Action', <Code key="action">{action}</Code>],
          ['Area', enumLabel(area)],
          ['Resource type', resourceLabel(resourceType)],
          ['Resource', <ResourceLink key="name" type={resourceType} id={resourceId} name={resourceNameOf(entry) ?? '–'} />],
          ['Resource ID', <CopyableId key="id" label="resource ID" id={resourceId} />],
          ['Version', version],
          ['Reason', reason],
        ]}
      />
      <Anchor renderRoot={(props) => <Link to="/audit" search={{ resource: resourceId }} {...props} />} onClick={close}>
        All entries for this resource
      </Anchor>
      <Title order={2}>Changes</Title>
      {withheld ? (
        <WithheldNotice />
      ) : changes.length === 0 ? (
        <Text c="dimmed">No field changes recorded. Deletions, erasures and some status changes record none.</Text>
      ) : (
        <Changes changes={changes} />
      )}
    </Stack>
  );
}

const Changes = ({ changes }: { readonly changes: AuditEntry['changes'] }) => (
  <ScrollableTable label="Changes" verticalSpacing="xs">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Field</Table.Th>
        <Table.Th>Before</Table.Th>
        <Table.Th>After</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {changes.map(({ field, before, after }) => (
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
  </ScrollableTable>
);

const Value = ({ json }: { readonly json: string | null }) =>
  json === null ? (
    <Text inherit c="dimmed">
      Empty
    </Text>
  ) : (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{json}</Code>
  );
