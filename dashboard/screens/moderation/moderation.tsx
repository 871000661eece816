/** What waits for a word of a moderator: a queue for each kind, those who have waited longest first. */
import { Anchor, Tabs } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { Screen } from '../../parts/screen.tsx';
import { said } from '../../parts/status-badge.tsx';
import { useMay } from '../../session/session.ts';
import { AthletesQueue } from './athletes-queue.tsx';
import { OrganizationsQueue } from './organizations-queue.tsx';
import { queueNames, type QueueName, type QueueProps } from './queue-names.ts';
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
  const { queue = 'organizations', after = null, waits } = route.useSearch();
  const navigate = useNavigate();
  const mayDecide = useMay('moderation:write');
  return (
    <Screen
      title="Moderation"
      says={
        <>
          What waits for a moderator, the longest first. What was decided is in the{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/audit" {...props} />}>
            audit log
          </Anchor>
          .
        </>
      }
      actions={!mayDecide && <LooksOnly />}
    >
      <Tabs
        value={queue}
        keepMounted={false}
        onChange={(chosen) => void navigate({ to: '/moderation', search: { queue: chosen as QueueName } })}
      >
        <Tabs.List aria-label="Queues" mb="md">
          {queueNames.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {said(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {queueNames.map((name) => {
          const Queue = queues[name];
          return (
            <Tabs.Panel key={name} value={name}>
              <Queue after={after} waits={waits} mayDecide={mayDecide} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Screen>
  );
}
