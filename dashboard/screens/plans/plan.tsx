/** One plan: its current version, the differences between its versions, and its live keys. */
import { Button, Code, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { PlanVersionsQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { History } from '../../components/history.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { formatCount, formatMoney } from '../../components/number-format.ts';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { useHasScope } from '../../session/session.ts';
import { EditPlan } from './plan-forms.tsx';
import { Versions } from './versions.tsx';

const planVersionsQuery = graphql(`
  query PlanVersions($code: String!) {
    planVersions(code: $code) {
      id
      code
      name
      version
      status
      writes
      webhooks
      streams
      requestLogDays
      liveKeys
      price {
        amountMinor
        currency
      }
      limits {
        burstPerMinute
        perDay
        perMonth
      }
    }
  }
`);

export type PlanVersion = NonNullable<PlanVersionsQuery['planVersions']>[number];

const route = getRouteApi('/signed-in/plans/$code');

export function Plan() {
  const { code } = route.useParams();
  const canEdit = useHasScope('administration:write');
  const versions = useGraphQuery(planVersionsQuery, { code });
  const current = versions.data?.planVersions?.[0];
  return (
    <Screen
      title={current?.name ?? 'Plan'}
      description={current && <Code>{current.code}</Code>}
      actions={current && (canEdit ? <Actions plan={current} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={versions} name="plan">
        {({ planVersions }) => {
          const [newest] = planVersions ?? [];
          if (newest === undefined) return <EmptyState title="Plan not found" />;
          return <CurrentVersion plan={newest} />;
        }}
      </QueryResult>
      {current && (
        <>
          <Section title="Versions">
            <Versions versions={versions.data?.planVersions ?? []} />
          </Section>
          <History resourceType="plan" resourceId={current.id} />
        </>
      )}
    </Screen>
  );
}

const CurrentVersion = ({
  plan: { version, limits, price, writes, webhooks, streams, requestLogDays, liveKeys },
}: {
  readonly plan: PlanVersion;
}) => (
  <Section title="Current version">
    <DescriptionList
      items={[
        ['Version', version],
        ['Requests per minute', formatCount(limits.burstPerMinute)],
        ['Requests per day', formatCount(limits.perDay)],
        ['Requests per month', formatCount(limits.perMonth)],
        ['Price per month', formatMoney(price)],
        ['Write access', writes ? 'Yes' : 'No'],
        ['Webhook endpoints', formatCount(webhooks)],
        ['Event streams', formatCount(streams)],
        ['Request log', `${requestLogDays} days`],
        ['Live API keys on this version', formatCount(liveKeys)],
      ]}
    />
  </Section>
);

function Actions({ plan }: { readonly plan: PlanVersion }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Group gap="xs">
      <Button variant="default" renderRoot={(props) => <Link to="/keys" search={{ plan: plan.code }} {...props} />}>
        View API keys
      </Button>
      <Button onClick={open}>Edit</Button>
      <EditPlan plan={plan} opened={opened} close={close} />
    </Group>
  );
}
