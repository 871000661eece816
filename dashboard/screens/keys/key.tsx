/** One API key: details, quota, usage, recent requests, history and actions. */
import { Alert, Code, Group } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ApiKeyQuery } from '../../generated/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { CopyableId } from '../../components/copyable-id.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { History } from '../../components/history.tsx';
import { AccountLink, KeyLink, PlanLink } from '../../components/links.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useHasScope } from '../../session/session.ts';
import { RequestAnalytics } from '../requests/request-analytics.tsx';
import { limitsSummary } from '../plans/plan-summary.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyQuota } from './key-quota.tsx';
import { KeyUsage } from './key-usage.tsx';
import { RecentRequests } from './recent-requests.tsx';
import { keyStatusOf } from './key-status.ts';

const keyQuery = graphql(`
  query ApiKey($id: ID!) {
    apiKey(id: $id) {
      id
      version
      name
      publicId
      status
      createdAt
      createdBy
      updatedAt
      expiresAt
      lastUsedAt
      revokedAt
      revokedBy
      revokedWhy
      scopes
      allowedCidrs
      registeredDocumentsOnly
      requestsLast24Hours
      account {
        id
        name
        status
      }
      plan {
        code
        name
        version
        writes
      }
      limits {
        burstPerMinute
        perDay
        perMonth
      }
      nextPlan {
        code
        version
        at
      }
      rotatedTo {
        id
        name
        publicId
      }
      rotatedFrom {
        id
        name
        publicId
      }
    }
  }
`);

export type KeyDetails = NonNullable<ApiKeyQuery['apiKey']>;

const route = getRouteApi('/signed-in/keys/$id');

export function Key() {
  const { id } = route.useParams();
  const canEdit = useHasScope('administration:write');
  const key = useGraphQuery(keyQuery, { id }, { refetchEveryMs });
  const apiKey = key.data?.apiKey;
  return (
    <Screen
      title={apiKey?.name ?? 'API key'}
      description={apiKey && <KeyHeader apiKey={apiKey} />}
      actions={apiKey && (canEdit ? <KeyActions apiKey={apiKey} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={key} name="API key">
        {(data) => (data.apiKey === null ? <EmptyState title="API key not found" /> : <KeyDescription apiKey={data.apiKey} />)}
      </QueryResult>
      {apiKey && (
        <>
          <KeyQuota id={id} />
          <KeyUsage id={id} perDay={apiKey.limits.perDay} />
          <RequestAnalytics publicId={apiKey.publicId} />
          <RecentRequests id={id} />
          <History resourceType="api_key" resourceId={id} />
        </>
      )}
    </Screen>
  );
}

const KeyHeader = ({ apiKey }: { readonly apiKey: KeyDetails }) => (
  <Group component="span" gap="xs">
    <CopyableId label="public ID" id={apiKey.publicId} />
    <StatusBadge status={keyStatusOf(apiKey)} />
  </Group>
);

function KeyDescription({ apiKey }: { readonly apiKey: KeyDetails }) {
  const { account, plan, nextPlan, limits, rotatedTo, rotatedFrom } = apiKey;
  return (
    <>
      <StatusAlert apiKey={apiKey} />
      <Section title="Details">
        <DescriptionList
          items={[
            ['Account', <AccountLink key="account" {...account} />],
            [
              'Plan',
              <>
                <PlanLink {...plan} />, version {plan.version}
              </>,
            ],
            ['Limits', limitsSummary(limits)],
            [
              'Scheduled plan change',
              nextPlan && (
                <>
                  <PlanLink code={nextPlan.code} name={nextPlan.code} />, version {nextPlan.version} on{' '}
                  <Timestamp at={nextPlan.at} />
                </>
              ),
            ],
            ['Scopes', apiKey.scopes.length === 0 ? 'Public reads only' : <Codes values={apiKey.scopes} />],
            ['Allowed networks', apiKey.allowedCidrs.length === 0 ? 'All' : <Codes values={apiKey.allowedCidrs} />],
            ['GraphQL documents', apiKey.registeredDocumentsOnly ? 'Registered documents only' : 'All'],
            ['Expires', <Timestamp key="expires" at={apiKey.expiresAt} fallback="Never" />],
            ['Last used', <Timestamp key="used" at={apiKey.lastUsedAt} fallback="Never" />],
            [
              'Issued',
              <>
                <Timestamp at={apiKey.createdAt} /> by {actorText(apiKey.createdBy)}
              </>,
            ],
            ['Replaces', rotatedFrom && <LinkedKey {...rotatedFrom} />],
            ['Replaced by', rotatedTo && <LinkedKey {...rotatedTo} />],
            ['Key ID', <CopyableId key="id" label="key ID" id={apiKey.id} />],
            ['Version', apiKey.version],
          ]}
        />
      </Section>
    </>
  );
}

/** The API names actors by name, and the platform itself `SYSTEM`. */
const actorText = (actor: string): string => (actor === 'SYSTEM' ? 'the system' : actor);

interface LinkedKeyProps {
  readonly id: string;
  readonly publicId: string;
  readonly c?: 'inherit';
}

const LinkedKey = ({ id, publicId, c }: LinkedKeyProps) => <KeyLink id={id} name={publicId} c={c} />;

const Codes = ({ values }: { readonly values: readonly string[] }) => (
  <Group component="span" gap={4}>
    {values.map((value) => (
      <Code key={value}>{value}</Code>
    ))}
  </Group>
);

/** Explains why requests with the key fail, or when they will. */
function StatusAlert({ apiKey }: { readonly apiKey: KeyDetails }) {
  const { status, account, revokedAt, revokedBy, revokedWhy, rotatedTo, expiresAt } = apiKey;
  if (status === 'REVOKED')
    return (
      <Alert color="red" icon={<IconAlertTriangle />} mb="lg" title="This API key was revoked">
        Revoked at <Timestamp at={revokedAt} /> by {actorText(revokedBy ?? 'an unknown administrator')}
        {revokedWhy !== null && `. Reason: ${revokedWhy}`}
      </Alert>
    );
  if (account.status !== 'ACTIVE')
    return (
      <Alert
        color="orange"
        icon={<IconAlertTriangle />}
        mb="lg"
        title={`The account of this API key is ${account.status.toLowerCase()}`}
      >
        Requests with this key fail. Account: <AccountLink {...account} c="inherit" />
      </Alert>
    );
  if (rotatedTo !== null && expiresAt !== null)
    return (
      <Alert color="blue" icon={<IconInfoCircle />} mb="lg" title="This API key is being replaced">
        The new key is <LinkedKey {...rotatedTo} c="inherit" />. This key is valid until <Timestamp at={expiresAt} />.
      </Alert>
    );
  return null;
}
