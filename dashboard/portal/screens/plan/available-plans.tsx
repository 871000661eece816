/** The available plans, cheapest first, with the dialog that requests one. */
import { Alert, Badge, Button, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { formatCount, formatMoney } from '../../../components/number-format.ts';
import { Section } from '../../../components/section.tsx';
import { useHasScope } from '../../../session/session.ts';
import type { AvailablePlan } from './plan.tsx';
import { RequestPlan } from './request-plan.tsx';

interface AvailablePlansProps {
  readonly plans: readonly AvailablePlan[];
  /** Null if it is unknown. */
  readonly currentCode: string | null;
  /** The open request of the account; null without one. */
  readonly openRequest: { readonly planCode: string; readonly plan: { readonly name: string } | null } | null;
}

export function AvailablePlans({ plans, currentCode, openRequest }: AvailablePlansProps) {
  const hasScope = useHasScope('requests:write');
  const canRequest = hasScope && openRequest === null;
  const [requested, setRequested] = useState<AvailablePlan | null>(null);
  return (
    <Section title="Available plans">
      {openRequest !== null && (
        <Alert color="blue" icon={<IconInfoCircle />}>
          The request for the plan {openRequest.plan?.name ?? openRequest.planCode} awaits a decision of the operator.
          {hasScope && ' Withdraw it to request another plan.'}
        </Alert>
      )}
      {plans.length === 0 && <EmptyState title="No plans available">Ask the operator for a plan.</EmptyState>}
      <SimpleGrid component="ul" aria-label="Plans" cols={{ base: 1, xs: 2, lg: 3 }} m={0} p={0} style={{ listStyle: 'none' }}>
        {plans.map((plan) => (
          <PlanCard key={plan.code} plan={plan} isCurrent={plan.code === currentCode}>
            {canRequest && plan.code !== currentCode && (
              <Button size="xs" variant="default" aria-label={`Request the plan ${plan.name}`} onClick={() => setRequested(plan)}>
                Request
              </Button>
            )}
          </PlanCard>
        ))}
      </SimpleGrid>
      <RequestPlan plan={requested} close={() => setRequested(null)} />
    </Section>
  );
}

/** `1 webhook endpoint`, `10 webhook endpoints` */
const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

interface PlanCardProps {
  readonly plan: AvailablePlan;
  readonly isCurrent: boolean;
  /** The action. */
  readonly children: ReactNode;
}

const PlanCard = ({ plan, isCurrent, children }: PlanCardProps) => (
  <Paper component="li" withBorder p="md">
    <Stack gap="xs" align="flex-start" h="100%">
      <Group gap="xs">
        <Title order={3} fz="md">
          {plan.name}
        </Title>
        {isCurrent && <Badge tt="none">Current</Badge>}
      </Group>
      <Text fw={600}>{formatMoney(plan.price)} per month</Text>
      <List size="sm" listStyleType="none" mb="auto">
        <List.Item>{formatCount(plan.limits.perMonth)} requests per month</List.Item>
        <List.Item>{formatCount(plan.limits.perDay)} per day</List.Item>
        <List.Item>{formatCount(plan.limits.burstPerMinute)} per minute</List.Item>
        <List.Item>{plan.writes ? 'Read and write' : 'Read-only'}</List.Item>
        <List.Item>{counted(plan.webhooks, 'webhook endpoint')}</List.Item>
        <List.Item>{counted(plan.streams, 'concurrent stream')}</List.Item>
        <List.Item>Request log of {plan.requestLogDays} days</List.Item>
      </List>
      {children}
    </Stack>
  </Paper>
);
