/** Moves a key, with its lineage, to the current version of a plan. */
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PlanChangeTime } from '../../generated/graphql.ts';
import { useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { PlanSelect } from '../plans/plan-select.tsx';
import type { KeyShown } from './key.tsx';

const moveKeyMutation = graphql(`
  mutation MoveApiKey($id: ID!, $plan: String!, $when: PlanChangeTime!) {
    moveApiKey(id: $id, plan: $plan, when: $when) {
      id
    }
  }
`);

const times: { readonly value: PlanChangeTime; readonly label: string }[] = [
  { value: 'BY_PRICE', label: 'By price' },
  { value: 'NOW', label: 'Now' },
  { value: 'PERIOD_END', label: 'At the end of the month' },
];

const saidOf: Readonly<Record<PlanChangeTime, string>> = {
  BY_PRICE: 'At once where the new plan costs at least as much, otherwise at the end of the month (UTC).',
  NOW: 'At once. What was used stays used.',
  PERIOD_END: 'When this calendar month (UTC) ends.',
};

interface MoveKeyProps {
  readonly of: KeyShown;
  readonly opened: boolean;
  readonly close: () => void;
}

export const MoveKey = ({ opened, close, of }: MoveKeyProps) => (
  <Modal opened={opened} onClose={close} title="Move to another plan">
    {opened && <Question of={of} close={close} />}
  </Modal>
);

function Question({ of, close }: Omit<MoveKeyProps, 'opened'>) {
  const [plan, setPlan] = useState<string | null>(null);
  const [when, setWhen] = useState<PlanChangeTime>('BY_PRICE');
  const move = useChange(moveKeyMutation, { said: 'Key moved', done: close });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (plan !== null) move.mutate({ id: of.id, plan, when });
      }}
    >
      <Stack>
        <Text>
          It has <strong>{of.plan.name}</strong>, version {of.plan.version}. All live keys that count together with it move too.
          {of.nextPlan !== null && ' Choosing the plan it has withdraws the move that is to come.'}
        </Text>
        <PlanSelect value={plan} onChange={setPlan} />
        <Stack gap={4}>
          <SegmentedControl aria-label="When" data={times} value={when} onChange={(chosen) => setWhen(chosen)} />
          <Text size="xs" c="dimmed">
            {saidOf[when]}
          </Text>
        </Stack>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={plan === null} loading={move.isPending}>
            Move
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
