/** One key: what it is, what it asked, what was done to it, and what can be done. */
import { Alert, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ApiKeyQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { History } from '../../parts/history.tsx';
import { AccountLink, KeyLink, PlanLink } from '../../parts/links.tsx';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../session/session.ts';
import { limitWords } from '../plans/plan-words.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyQuota } from './key-quota.tsx';
import { KeyUsage } from './key-usage.tsx';
import { RecentRequests } from './recent-requests.tsx';
import { standingOf } from './standing.ts';

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

export type KeyShown = NonNullable<ApiKeyQuery['apiKey']>;

const refreshMs = 15_000;

const route = getRouteApi('/signed-in/keys/$id');

export function Key() {
  const { id } = route.useParams();
  const may = useMay('administration:write');
  const key = useAsk(keyQuery, { id }, { everyMs: refreshMs });
  const shown = key.data?.apiKey;
  return (
    <Screen
      title={shown?.name ?? 'Key'}
      says={shown && <KeyLine of={shown} />}
      actions={shown && (may ? <KeyActions of={shown} /> : <LooksOnly />)}
    >
      <Answered of={key} name="the key">
        {({ apiKey }) => (apiKey === null ? <Empty title="There is no such key" /> : <KeyParts of={apiKey} />)}
      </Answered>
      {shown && (
        <>
          <KeyQuota id={id} />
          <KeyUsage id={id} perDay={shown.limits.perDay} />
          <RecentRequests id={id} />
          <History resourceType="api_key" resourceId={id} />
        </>
      )}
    </Screen>
  );
}

const KeyLine = ({ of }: { readonly of: KeyShown }) => (
  <Group component="span" gap="xs">
    <Text component="span" ff="monospace" size="sm">
      {of.publicId}
    </Text>
    <StatusBadge status={standingOf(of)} />
  </Group>
);

function KeyParts({ of }: { readonly of: KeyShown }) {
  const { account, plan, nextPlan, limits, rotatedTo, rotatedFrom } = of;
  return (
    <>
      <Refusing of={of} />
      <Section title="Facts">
        <Facts
          of={[
            ['Account', <AccountLink key="account" {...account} />],
            [
              'Plan',
              <>
                <PlanLink {...plan} />, version {plan.version}
              </>,
            ],
            ['Limits', limitWords(limits)],
            [
              'Moves to',
              nextPlan && (
                <>
                  <PlanLink code={nextPlan.code} name={nextPlan.code} />, version {nextPlan.version}, <Moment at={nextPlan.at} />
                </>
              ),
            ],
            ['Scopes', of.scopes.length === 0 ? 'Public reads only' : <Codes of={of.scopes} />],
            ['Networks', of.allowedCidrs.length === 0 ? 'From anywhere' : <Codes of={of.allowedCidrs} />],
            ['Expires', <Moment key="expires" at={of.expiresAt} none="Never" />],
            ['Last used', <Moment key="used" at={of.lastUsedAt} none="Never" />],
            [
              'Issued',
              <>
                <Moment at={of.createdAt} /> by {of.createdBy}
              </>,
            ],
            ['Replaces', rotatedFrom && <Successor {...rotatedFrom} />],
            ['Replaced by', rotatedTo && <Successor {...rotatedTo} />],
            ['Version', of.version],
          ]}
        />
      </Section>
    </>
  );
}

interface SuccessorProps {
  readonly id: string;
  readonly publicId: string;
  readonly c?: 'inherit';
}

const Successor = ({ id, publicId, c }: SuccessorProps) => <KeyLink id={id} name={publicId} c={c} />;

const Codes = ({ of }: { readonly of: readonly string[] }) => (
  <Group component="span" gap={4}>
    {of.map((one) => (
      <Code key={one}>{one}</Code>
    ))}
  </Group>
);

/** Why the key is refused, or will be. */
function Refusing({ of }: { readonly of: KeyShown }) {
  const { status, account, revokedAt, revokedBy, revokedWhy, rotatedTo, expiresAt } = of;
  if (status === 'REVOKED')
    return (
      <Alert color="red" icon={<IconAlertTriangle />} mb="lg" title="Revoked: refused for good">
        <Moment at={revokedAt} /> by {revokedBy ?? 'nobody that is known'}
        {revokedWhy !== null && `: ${revokedWhy}`}
      </Alert>
    );
  if (account.status !== 'ACTIVE')
    return (
      <Alert
        color="orange"
        icon={<IconAlertTriangle />}
        mb="lg"
        title={`Refused: its account is ${account.status.toLowerCase()}`}
      >
        <AccountLink {...account} c="inherit" />
      </Alert>
    );
  if (rotatedTo !== null && expiresAt !== null)
    return (
      <Alert color="blue" icon={<IconInfoCircle />} mb="lg" title="Replaced">
        Its successor is <Successor {...rotatedTo} c="inherit" />. This key is accepted until <Moment at={expiresAt} />.
      </Alert>
    );
  return null;
}
