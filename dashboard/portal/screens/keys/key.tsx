/** One API key of the account: details, quota, usage and actions. */
import { Alert, Button, Code, Group } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../../components/read-only-notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { TestBadge } from '../../../components/test-badge.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { keyStatusOf } from '../../../screens/keys/key-status.ts';
import { limitsSummary } from '../../../screens/plans/plan-summary.ts';
import { useHasScope } from '../../../session/session.ts';
import type { OwnKeyQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyLink } from './key-link.tsx';
import { KeyQuota, KeyUsage } from './key-usage.tsx';

const keyQuery = graphql(`
  query OwnKey($id: ID!) {
    ownKey(id: $id) {
      id
      version
      name
      publicId
      mode
      status
      createdAt
      createdBy
      expiresAt
      lastUsedAt
      revokedAt
      revokedBy
      revokedWhy
      scopes
      allowedCidrs
      registeredDocumentsOnly
      requestsLast24Hours
      plan {
        code
        name
        writes
      }
      limits {
        burstPerMinute
        perDay
        perMonth
      }
      nextPlan {
        code
        at
      }
      rotatedTo {
        id
        publicId
      }
      rotatedFrom {
        id
        publicId
      }
    }
  }
`);

export type KeyDetails = NonNullable<OwnKeyQuery['ownKey']>;

const route = getRouteApi('/signed-in/keys/$id');

export function Key() {
  const { id } = route.useParams();
  const canManage = useHasScope('keys:write');
  const key = useGraphQuery(keyQuery, { id }, { refetchEveryMs });
  const apiKey = key.data?.ownKey;
  return (
    <Screen
      title={apiKey?.name ?? 'API key'}
      description={apiKey && <KeyHeader apiKey={apiKey} />}
      actions={apiKey && (canManage ? <KeyActions apiKey={apiKey} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={key} name="API key">
        {(data) => (data.ownKey === null ? <EmptyState title="API key not found" /> : <KeyDescription apiKey={data.ownKey} />)}
      </QueryResult>
      {apiKey && (
        <>
          <KeyQuota id={id} />
          <KeyUsage id={id} publicId={apiKey.publicId} perDay={apiKey.limits.perDay} />
        </>
      )}
    </Screen>
  );
}

const KeyHeader = ({ apiKey }: { readonly apiKey: KeyDetails }) => (
  <Group component="span" gap="xs">
    <CopyableId label="public ID" id={apiKey.publicId} />
    <StatusBadge status={keyStatusOf(apiKey)} />
    <TestBadge mode={apiKey.mode} />
  </Group>
);

/** Members by their names; administrators and the platform itself as the operator. */
const actorText = (actor: string | null): string =>
  actor === null || actor === 'ADMINISTRATOR' || actor === 'SYSTEM' ? 'the operator' : actor;

function KeyDescription({ apiKey }: { readonly apiKey: KeyDetails }) {
  const { nextPlan, rotatedTo, rotatedFrom } = apiKey;
  return (
    <>
      <StatusAlert apiKey={apiKey} />
      <Section
        title="Details"
        controls={
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/activity" search={{ resource: apiKey.id }} {...props} />}
          >
            Open activity
          </Button>
        }
      >
        <DescriptionList
          items={[
            ['Plan', apiKey.plan.name],
            ['Limits', limitsSummary(apiKey.limits)],
            [
              'Scheduled plan change',
              nextPlan && (
                <>
                  {nextPlan.code} on <Timestamp at={nextPlan.at} />
                </>
              ),
            ],
            ['Scopes', apiKey.scopes.length === 0 ? 'Public reads only' : <Codes values={apiKey.scopes} />],
            ['Allowed networks', apiKey.allowedCidrs.length === 0 ? 'All' : <Codes values={apiKey.allowedCidrs} />],
            ['GraphQL documents', apiKey.registeredDocumentsOnly ? 'Registered documents only' : 'All'],
            ['Expires', <Timestamp key="expires" at={apiKey.expiresAt} fallback="Never" />],
            ['Last used', <Timestamp key="used" at={apiKey.lastUsedAt} fallback="Never" />],
            [
              'Created',
              <>
                <Timestamp at={apiKey.createdAt} /> by {actorText(apiKey.createdBy)}
              </>,
            ],
            ['Replaces', rotatedFrom && <KeyLink id={rotatedFrom.id} name={rotatedFrom.publicId} />],
            ['Replaced by', rotatedTo && <KeyLink id={rotatedTo.id} name={rotatedTo.publicId} />],
            ['Key ID', <CopyableId key="id" label="key ID" id={apiKey.id} />],
          ]}
        />
      </Section>
    </>
  );
}

const Codes = ({ values }: { readonly values: readonly string[] }) => (
  <Group component="span" gap={4}>
    {values.map((value) => (
      <Code key={value}>{value}</Code>
    ))}
  </Group>
);

/** Explains why requests with the key fail, or when they will. */
function StatusAlert({ apiKey }: { readonly apiKey: KeyDetails }) {
  const { status, revokedAt, revokedBy, revokedWhy, rotatedTo, expiresAt } = apiKey;
  if (status === 'REVOKED')
    return (
      <Alert color="red" icon={<IconAlertTriangle />} mb="lg" title="This API key was revoked">
        Revoked at <Timestamp at={revokedAt} /> by {actorText(revokedBy)}
        {revokedWhy !== null && `. Reason: ${revokedWhy}`}
      </Alert>
    );
  if (rotatedTo !== null && expiresAt !== null)
    return (
      <Alert color="blue" icon={<IconInfoCircle />} mb="lg" title="This API key is being replaced">
        The new key is <KeyLink {...rotatedTo} name={rotatedTo.publicId} c="inherit" />. This key is valid until{' '}
        <Timestamp at={expiresAt} />.
      </Alert>
    );
  return null;
}
