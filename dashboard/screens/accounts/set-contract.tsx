/** The dialog that sets a contract: limits and a price that override a plan. Empty fields keep the values of the plan. */
import { Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { FormButtons } from '../../components/form-buttons.tsx';
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
  <Modal opened={opened} onClose={close} title="Set contract">
    {opened && <ContractForm accountId={accountId} close={close} />}
  </Modal>
);

interface Values extends LimitsValues {
  readonly plan: string | null;
}

function ContractForm({ accountId, close }: Omit<SetContractProps, 'opened'>) {
  const form = useForm<Values>({
    initialValues: { plan: null, burstPerMinute: '', perDay: '', perMonth: '', amount: '', currency: 'EUR' },
    validate: { plan: (plan) => (plan === null ? 'Select a plan.' : null) },
  });
  const { mutate, isPending } = useGraphMutation(setContractMutation, {
    successMessage: 'Contract set',
    onSuccess: close,
    onError: (error) => form.setErrors(violationsByField(error)),
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
        <Text>
          The contract applies to all API keys of the account on this plan. It replaces an existing contract for the plan.
        </Text>
        <PlanSelect {...form.getInputProps('plan')} value={form.values.plan} autoFocus />
        <LimitsFields form={form} placeholder="Plan default" />
        <PriceFields form={form} placeholder="Plan default" />
        <FormButtons submit="Set contract" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
