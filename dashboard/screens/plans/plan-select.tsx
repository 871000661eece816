/** Selects a plan and displays its limits. */
import { Select, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlanChoicesQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { planSummary } from './plan-summary.ts';

const planChoicesQuery = graphql(`
  query PlanChoices {
    plans(first: 100) {
      nodes {
        code
        name
        writes
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
  }
`);

export type PlanChoice = NonNullable<PlanChoicesQuery['plans']>['nodes'][number];

/** All plans, and a lookup by code. */
export function usePlans(): {
  readonly plans: readonly PlanChoice[];
  readonly planOf: (code: string | null) => PlanChoice | undefined;
} {
  const { data } = useGraphQuery(planChoicesQuery, {});
  const plans = data?.plans?.nodes ?? [];
  return { plans, planOf: (code) => plans.find((plan) => plan.code === code) };
}

interface PlanSelectProps {
  readonly value: string | null;
  readonly onChange: (code: string | null) => void;
  readonly error?: ReactNode;
  /** Whether a dialog starts in this field. */
  readonly autoFocus?: boolean;
}

export function PlanSelect({ value, onChange, error, autoFocus = false }: PlanSelectProps) {
  const { plans, planOf } = usePlans();
  const selected = planOf(value);
  return (
    <Select
      data-autofocus={autoFocus || undefined}
      label="Plan"
      required
      placeholder="Select a plan"
      data={plans.map(({ code, name }) => ({ value: code, label: name }))}
      value={value}
      onChange={onChange}
      error={error}
      description={selected && planSummary(selected)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      renderOption={({ option }) => {
        const plan = planOf(option.value);
        return (
          <Stack gap={0}>
            <Text inherit>{option.label}</Text>
            {plan && (
              <Text size="xs" c="dimmed">
                {planSummary(plan)}
              </Text>
            )}
          </Stack>
        );
      }}
    />
  );
}
