/** The dialog that moves an API key and its lineage to the current version of a plan. */
import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormButtons } from '../../components/form-buttons.tsx';
import type { PlanChangeTime } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { PlanChangeTimeField } from '../plans/plan-change-time.tsx';
import { PlanSelect } from '../plans/plan-select.tsx';
import type { KeyDetails } from './key.tsx';

const moveKeyMutation = graphql(`
  mutation MoveApiKey($id: ID!, $plan: String!, $when: PlanChangeTime!) {
    moveApiKey(id: $id, plan: $plan, when: $when) {
      id
    }
  }
`);

interface MoveKeyProps {
  readonly apiKey: KeyDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export const MoveKey = ({ opened, close, apiKey }: MoveKeyProps) => (
  <Modal opened={opened} onClose={close} title="Change plan">
    {opened && <MoveForm apiKey={apiKey} close={close} />}
  </Modal>
);

function MoveForm({ apiKey: { id, plan: currentPlan, nextPlan }, close }: Omit<MoveKeyProps, 'opened'>) {
  const [plan, setPlan] = useState<string | null>(null);
  const [when, setWhen] = useState<PlanChangeTime>('BY_PRICE');
  const { mutate, isPending } = useGraphMutation(moveKeyMutation, { successMessage: 'Plan changed', onSuccess: close });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (plan !== null) mutate({ id, plan, when });
      }}
    >
      <Stack>
        <Text>
          The current plan is <strong>{currentPlan.name}</strong>, version {currentPlan.version}. All live keys that share the
          quota of this key change plan too.
          {nextPlan !== null && ' To cancel the scheduled plan change, select the current plan.'}
        </Text>
        <PlanSelect value={plan} onChange={setPlan} autoFocus />
        <PlanChangeTimeField value={when} onChange={setWhen} />
        <FormButtons submit="Change plan" disabled={plan === null} isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
