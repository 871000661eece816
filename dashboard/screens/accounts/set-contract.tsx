/** Sets numbers of an account in place of a plan's; what is left empty stays the plan's. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../graph/ask.ts';
import { violationsByField } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { LimitsFields, numberOrNull, PriceFields, priceOf, type LimitsValues } from '../plans/limits-fields.tsx';
import { PlanSelect } from '../plans/plan-select.tsx';

const setContractMutation = graphql(`
  mutation SetContract($accountId: ID!, $plan: String!, $input: ContractInput!) {
    setContract(accountId: $accountId, plan: $plan, input: $input) {
      id
    }
  }
`);

interface SetContractProps {
  readonly accountId: string;
  readonly opened: boolean;
  readonly close: () => void;
}

export const SetContract = ({ opened, close, accountId }: SetContractProps) => (
  <Modal opened={opened} onClose={close} title="Set a contract">
    {opened && <ContractForm accountId={accountId} close={close} />}
  </Modal>
);

interface Values extends LimitsValues {
  readonly plan: string | null;
}

function ContractForm({ accountId, close }: Omit<SetContractProps, 'opened'>) {
  const form = useForm<Values>({
    initialValues: { plan: null, burstPerMinute: '', perDay: '', perMonth: '', amount: '', currency: 'EUR' },
    validate: { plan: (plan) => (plan === null ? 'Choose a plan.' : null) },
  });
  const { mutate, isPending } = useChange(setContractMutation, {
    said: 'Contract set',
    done: close,
    refused: (failure) => form.setErrors(violationsByField(failure)),
  });
  const submit = ({ plan, ...values }: Values): void =>
    mutate({
      accountId,
      plan: plan ?? '',
      input: {
        burstPerMinute: numberOrNull(values.burstPerMinute),
        perDay: numberOrNull(values.perDay),
        perMonth: numberOrNull(values.perMonth),
        price: priceOf(values),
      },
    });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text>It counts for all keys of the account on this plan, in place of the contract it has for it.</Text>
        <PlanSelect {...form.getInputProps('plan')} value={form.values.plan} />
        <LimitsFields form={form} placeholder="As the plan" />
        <PriceFields form={form} placeholder="As the plan" />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Set
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
