/** The name of a changed resource with a link to its screen; the end of its id for resources without a name. */
import { Code } from '@mantine/core';
import { ResourceLink } from '../../components/resource-link.tsx';
import { resourceNameOf, type AuditEntry } from './audit-query.ts';

/** The last part of an id. */
const idTail = -12;

export function ResourceName(entry: AuditEntry) {
  const { resourceType, resourceId } = entry;
  const name = resourceNameOf(entry);
  if (name !== null) return <ResourceLink type={resourceType} id={resourceId} name={name} />;
  return (
    <Code>
      <ResourceLink type={resourceType} id={resourceId} name={resourceId.slice(idTail)} />
    </Code>
  );
}
