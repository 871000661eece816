/** The plans: what keys may ask, and for how much. */
import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { PlansQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PlanLink } from '../../parts/links.tsx';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { count, money } from '../../parts/numbers.ts';
import { Screen } from '../../parts/screen.tsx';
import { useMay } from '../../session/session.ts';
import { CreatePlan } from './plan-forms.tsx';

const plansQuery = graphql(`
  query Plans($after: String) {
    plans(first: 50, after: $after) {
      nodes {
        code
        name
        version
        writes
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
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Plan = NonNullable<PlansQuery['plans']>['nodes'][number];

const columns: readonly Column<Plan>[] = [
  { title: 'Plan', cell: ({ code, name }) => <PlanLink code={code} name={name} /> },
  { title: 'Code', cell: ({ code }) => <Code>{code}</Code> },
  { title: 'Version', cell: ({ version }) => version, numeric: true },
  { title: 'A minute', cell: ({ limits }) => count(limits.burstPerMinute), numeric: true },
  { title: 'A day', cell: ({ limits }) => count(limits.perDay), numeric: true },
  { title: 'A month', cell: ({ limits }) => count(limits.perMonth), numeric: true },
  { title: 'Writes', cell: ({ writes }) => (writes ? 'Yes' : 'No') },
  { title: 'Price a month', cell: ({ price }) => money(price), numeric: true },
  { title: 'Live keys', cell: ({ liveKeys }) => count(liveKeys), numeric: true },
];

const route = getRouteApi('/signed-in/plans');

export function Plans() {
  const { after = null } = route.useSearch();
  const plans = useAsk(plansQuery, { after });
  return (
    <Screen
      title="Plans"
      says="What a key may ask, and for how much. A changed plan is a new version; keys keep theirs."
      actions={<Create />}
    >
      <Answered of={plans} name="plans">
        {({ plans: page }) => (
          <DataTable
            label="Plans"
            columns={columns}
            rows={page?.nodes ?? []}
            rowKey={({ code }) => code}
            pageInfo={page?.pageInfo}
            empty={<Empty title="No plans">The migrations bring four; create one to begin.</Empty>}
          />
        )}
      </Answered>
    </Screen>
  );
}

function Create() {
  const [opened, { open, close }] = useDisclosure(false);
  if (!useMay('administration:write')) return <LooksOnly />;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create plan
      </Button>
      <CreatePlan opened={opened} close={close} />
    </>
  );
}
