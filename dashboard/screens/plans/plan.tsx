/** One plan: its versions side by side, what each changed, and how many keys hold it. */
import { Button, Code, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { PlanVersionsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { History } from '../../parts/history.tsx';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { count, money } from '../../parts/numbers.ts';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { useMay } from '../../session/session.ts';
import { ChangePlan } from './plan-forms.tsx';
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
  const may = useMay('administration:write');
  const versions = useAsk(planVersionsQuery, { code });
  const current = versions.data?.planVersions?.[0];
  return (
    <Screen
      title={current?.name ?? 'Plan'}
      says={current && <Code>{current.code}</Code>}
      actions={current && (may ? <Actions of={current} /> : <LooksOnly />)}
    >
      <Answered of={versions} name="the plan">
        {({ planVersions }) => {
          const [newest] = planVersions ?? [];
          if (newest === undefined) return <Empty title="There is no such plan" />;
          return <Current of={newest} />;
        }}
      </Answered>
      {current && (
        <>
          <Section title="Versions">
            <Versions of={versions.data?.planVersions ?? []} />
          </Section>
          <History resourceType="plan" resourceId={current.id} />
        </>
      )}
    </Screen>
  );
}

const Current = ({ of: { version, limits, price, writes, webhooks, streams, liveKeys } }: { readonly of: PlanVersion }) => (
  <Section title="As it is now">
    <Facts
      of={[
        ['Version', version],
        ['Requests a minute', count(limits.burstPerMinute)],
        ['Requests a day', count(limits.perDay)],
        ['Requests a month', count(limits.perMonth)],
        ['Price a month', money(price)],
        ['Keys may write', writes ? 'Yes' : 'No'],
        ['Webhook endpoints', count(webhooks)],
        ['Event streams', count(streams)],
        ['Live keys of this version', count(liveKeys)],
      ]}
    />
  </Section>
);

function Actions({ of }: { readonly of: PlanVersion }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Group gap="xs">
      <Button variant="default" renderRoot={(props) => <Link to="/keys" search={{ plan: of.code }} {...props} />}>
        Its keys
      </Button>
      <Button onClick={open}>Change</Button>
      <ChangePlan of={of} opened={opened} close={close} />
    </Group>
  );
}
