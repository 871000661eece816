/** The first screen: next steps of a new account, the account with its plan, usage, and the latest announcements. */
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { QueryResult } from '../../../components/query-result.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { formatCount } from '../../../components/number-format.ts';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { enumLabel } from '../../../components/enum-label.ts';
import { QuotaWindow } from '../../../components/usage/quota-window.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { limitsSummary } from '../../../screens/plans/plan-summary.ts';
import type { PortalOverviewQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { AnnouncementList, type Announcement } from '../announcements/announcement-list.tsx';
import { KeyLink } from '../keys/key-link.tsx';
import { NextSteps } from './next-steps.tsx';
import { AccountUsage } from './account-usage.tsx';

const overviewQuery = graphql(`
  query PortalOverview {
    member {
      role
      account {
        name
        liveKeys
        requestsLast24Hours
      }
    }
    keyAllowance {
      liveKeysMax
      plan {
        name
        writes
        webhooks
      }
      limits {
        burstPerMinute
        perDay
        perMonth
      }
    }
    ownKeys(first: 1, filter: { status: [ACTIVE] }) {
      nodes {
        id
        name
        lastUsedAt
        quota {
          day {
            used
            limit
            resetAt
          }
          month {
            used
            limit
            resetAt
          }
        }
      }
    }
    announcements(first: 3) {
      nodes {
        id
        title
        text
        publishedFrom
      }
    }
  }
`);

export function Overview() {
  const query = useGraphQuery(overviewQuery, {}, { refetchEveryMs });
  return (
    <Screen title="Overview">
      <QueryResult query={query} name="overview">
        {(data) => <Sections data={data} />}
      </QueryResult>
    </Screen>
  );
}

function Sections({ data }: { readonly data: PortalOverviewQuery }) {
  const { member, ownKeys, announcements } = data;
  if (member === null) return null;
  const key = ownKeys?.nodes[0] ?? null;
  const hasKey = member.account.liveKeys > 0;
  const isNew = !hasKey || (key !== null && key.lastUsedAt === null && member.account.requestsLast24Hours === 0);
  return (
    <Stack gap="lg">
      {isNew && <NextSteps hasKey={hasKey} />}
      <AccountSection data={data} />
      {key !== null && <Quota apiKey={key} />}
      {!isNew && <AccountUsage />}
      <Announcements announcements={announcements?.nodes ?? []} />
    </Stack>
  );
}

function AccountSection({ data: { member, keyAllowance } }: { readonly data: PortalOverviewQuery }) {
  if (member === null) return null;
  const { account, role } = member;
  const plan = keyAllowance?.plan;
  return (
    <Section title="Account">
      <DescriptionList
        items={[
          ['Name', account.name],
          ['Your role', enumLabel(role)],
          ['Plan', plan && `${plan.name}, ${plan.writes ? 'read and write' : 'read-only'}`],
          ['Limits of new keys', keyAllowance && limitsSummary(keyAllowance.limits)],
          ['API keys', keyAllowance ? `${account.liveKeys} of ${keyAllowance.liveKeysMax}` : account.liveKeys],
          ['Webhook endpoints in the plan', plan?.webhooks],
          ['Requests in the last 24 hours', formatCount(account.requestsLast24Hours)],
        ]}
      />
    </Section>
  );
}

type Key = NonNullable<PortalOverviewQuery['ownKeys']>['nodes'][number];

function Quota({ apiKey: { id, name, quota } }: { readonly apiKey: Key }) {
  if (quota === null) return null;
  return (
    <Section title="Quota">
      <Text c="dimmed">
        Of the newest key, <KeyLink id={id} name={name} />. Live keys that members create share one quota, and test keys another
        one.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <QuotaWindow label="Today" {...quota.day} />
        <QuotaWindow label="This month" {...quota.month} />
      </SimpleGrid>
    </Section>
  );
}

const Announcements = ({ announcements }: { readonly announcements: readonly Announcement[] }) => (
  <Section
    title="Announcements"
    controls={
      announcements.length > 0 && (
        <Anchor underline="always" renderRoot={(props) => <Link to="/announcements" {...props} />}>
          All announcements
        </Anchor>
      )
    }
  >
    {announcements.length === 0 ? (
      <Text c="dimmed">The operator has published no announcements.</Text>
    ) : (
      <AnnouncementList announcements={announcements} />
    )}
  </Section>
);
