/** The moderation screen: one tab for each queue, oldest items first. */
import { Anchor, Tabs } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { enumLabel } from '../../components/enum-label.ts';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { CountBadge } from '../../shell/review-badge.tsx';
import { reviewCountText, useReviewCounts } from '../../shell/review-counts.ts';
import { useHasScope } from '../../session/session.ts';
import { AthletesQueue } from './athletes-queue.tsx';
import { Decided } from './decided.tsx';
import { OrganizationsQueue } from './organizations-queue.tsx';
import { isTabName, queueNames, type QueueName } from './queue-names.ts';
import type { QueueProps } from './queue.tsx';
import { ReplaysQueue } from './replays-queue.tsx';
import { ReportsQueue } from './reports-queue.tsx';
import { StatisticsQueue } from './statistics-queue.tsx';

const queues: Readonly<Record<QueueName, ComponentType<QueueProps>>> = {
  organizations: OrganizationsQueue,
  athletes: AthletesQueue,
  statistics: StatisticsQueue,
  replays: ReplaysQueue,
  reports: ReportsQueue,
};

const route = getRouteApi('/signed-in/moderation');

export function Moderation() {
  const { queue = 'organizations', after = null, view, q, action } = route.useSearch();
  const navigate = useNavigate();
  const counts = useReviewCounts();
  const canDecide = useHasScope('moderation:write');
  return (
    <Screen
      title="Moderation"
      description={
        <>
          Items that need a moderator, oldest first. All actions of administrators are in the{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/audit" {...props} />}>
            audit log
          </Anchor>
          .
        </>
      }
      actions={!canDecide && <ReadOnlyNotice />}
    >
      <Tabs
        value={queue}
        keepMounted={false}
        onChange={(name) => void (isTabName(name) && navigate({ to: '/moderation', search: { queue: name } }))}
      >
        <Tabs.List aria-label="Queues" mb="md">
          {queueNames.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={<QueueCount count={counts?.[name] ?? 0} />}>
              {enumLabel(name)}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="decided">Decided</Tabs.Tab>
        </Tabs.List>
        {queueNames.map((name) => {
          const Queue = queues[name];
          return (
            <Tabs.Panel key={name} value={name}>
              <Queue after={after} view={view} q={q} canDecide={canDecide} />
            </Tabs.Panel>
          );
        })}
        <Tabs.Panel value="decided">
          <Decided after={after} view={view} action={action} canDecide={canDecide} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

function QueueCount({ count }: { readonly count: number }) {
  const text = reviewCountText(count);
  return text === null ? null : <CountBadge text={text} />;
}
