/** The resource of a change: its type, its name with a link to its screen, and all its changes. */
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { KeyLink } from '../keys/key-link.tsx';
import { resourceTypeTexts, type Change } from './activity-query.ts';

export function ChangedResource({ change: { resourceType, resourceId, resourceName } }: { readonly change: Change }) {
  return (
    <Stack gap={0} miw={160} maw={320}>
      <Text component="div" inherit style={{ overflowWrap: 'anywhere' }}>
        <Text component="span" inherit c="dimmed">
          {resourceTypeTexts[resourceType]}
        </Text>{' '}
        {resourceType === 'API_KEY' && resourceName !== null ? <KeyLink id={resourceId} name={resourceName} /> : resourceName}
      </Text>
      <Anchor
        size="xs"
        underline="always"
        aria-label={`All changes of ${resourceName ?? resourceId}`}
        renderRoot={(props) => <Link to="/activity" search={{ resource: resourceId }} {...props} />}
      >
        All changes
      </Anchor>
    </Stack>
  );
}
