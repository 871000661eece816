/** Creates a plan, or makes its next version. */
import { Alert, Button, Group, Modal, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../graph/ask.ts';
import { violationsByField } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { ChangedMeanwhile, Fresh, isChangedMeanwhile } from '../../parts/changed-meanwhile.tsx';
import { count } from '../../parts/numbers.ts';
import { decimalsOf, LimitsFields, numberOrNull, PriceFields, priceOf, type LimitsValues, type Typed } from './limits-fields.tsx';
import type { PlanVersion } from './plan.tsx';

const createPlanMutation = graphql(`
  mutation CreatePlan($input: CreatePlanInput!) {
    createPlan(input: $input) {
      code
    }
  }
`);
const changePlanMutation = graphql(`
  mutation ChangePlan($code: String!, $input: ChangePlanInput!, $ifMatch: String!) {
    changePlan(code: $code, input: $input, ifMatch: $ifMatch) {
      version
    }
  }
`);

interface Values extends LimitsValues {
  readonly code: string;
  readonly name: string;
  readonly writes: boolean;
  readonly webhooks: Typed;
  readonly streams: Typed;
}

const none: Values = {
  code: '',
  name: '',
  writes: false,
  webhooks: 0,
  streams: 0,
  burstPerMinute: '',
  perDay: '',
  perMonth: '',
  amount: '',
  currency: 'EUR',
};

const factsOf = ({ name, writes, webhooks, streams, burstPerMinute, perDay, perMonth, ...price }: Values) => ({
  name,
  writes,
  webhooks: numberOrNull(webhooks) ?? 0,
  streams: numberOrNull(streams) ?? 0,
  limits: { burstPerMinute: Number(burstPerMinute), perDay: Number(perDay), perMonth: Number(perMonth) },
  price: priceOf(price) ?? { amountMinor: 0, currency: price.currency },
});

interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export const CreatePlan = ({ opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Create plan" size="lg">
    {opened && <CreateForm close={close} />}
  </Modal>
);

function CreateForm({ close }: Pick<DialogProps, 'close'>) {
  const navigate = useNavigate();
  const form = useForm<Values>({ initialValues: none });
  const { mutate, isPending } = useChange(createPlanMutation, {
    said: 'Plan created',
    done: ({ createPlan: { code } }) => {
      close();
      void navigate({ to: '/plans/$code', params: { code } });
    },
    refused: (failure) => form.setErrors(violationsByField(failure)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ input: { code: values.code, ...factsOf(values) } }))}>
      <Fields form={form} action="Create" pending={isPending} close={close}>
        <TextInput
          data-autofocus
          label="Code"
          description="Its name in commands and problems, for good: small letters, digits and dashes."
          required
          maxLength={40}
          pattern="[a-z][a-z0-9\-]{0,39}"
          autoComplete="off"
          {...form.getInputProps('code')}
        />
      </Fields>
    </form>
  );
}

export const ChangePlan = ({ opened, close, of }: DialogProps & { readonly of: PlanVersion }) => (
  <Modal opened={opened} onClose={close} title="Change the plan" size="lg">
    {opened && <Fresh>{(reload) => <ChangeForm of={of} close={close} reload={reload} />}</Fresh>}
  </Modal>
);

interface ChangeFormProps {
  readonly of: PlanVersion;
  readonly close: () => void;
  readonly reload: () => void;
}

function ChangeForm({ of, close, reload }: ChangeFormProps) {
  const [read] = useState(of);
  const { code, name, writes, webhooks, streams, limits, price, liveKeys, version } = read;
  const form = useForm<Values>({
    initialValues: {
      ...limits,
      code,
      name,
      writes,
      webhooks,
      streams,
      currency: price.currency,
      amount: price.amountMinor / 10 ** decimalsOf(price.currency),
    },
  });
  const { mutate, isPending, error } = useChange(changePlanMutation, {
    said: 'A new version of the plan is there',
    done: close,
    refused: (failure) => {
      form.setErrors(violationsByField(failure));
      return isChangedMeanwhile(failure);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ code, ifMatch: String(version), input: factsOf(values) }))}>
      <Fields
        form={form}
        action={`Make version ${version + 1}`}
        pending={isPending}
        close={close}
        last={isChangedMeanwhile(error) && <ChangedMeanwhile reload={reload} />}
      >
        <Alert icon={<IconInfoCircle />}>
          Keys of version {version} keep it until they are moved ({count(liveKeys)} live); new keys get the new one.
        </Alert>
      </Fields>
    </form>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<Values>;
  readonly action: string;
  readonly pending: boolean;
  readonly close: () => void;
  /** What stands before the fields. */
  readonly children: ReactNode;
  /** What stands after them. */
  readonly last?: ReactNode;
}

const Fields = ({ form, action, pending, close, children, last }: FieldsProps) => (
  <Stack>
    {children}
    <TextInput label="Name" required maxLength={100} autoComplete="off" {...form.getInputProps('name')} />
    <LimitsFields form={form} required />
    <PriceFields form={form} required />
    <Switch label="Keys may hold scopes that write" {...form.getInputProps('writes', { type: 'checkbox' })} />
    <Group grow>
      <NumberInput label="Webhook endpoints" min={0} allowDecimal={false} required {...form.getInputProps('webhooks')} />
      <NumberInput label="Event streams" min={0} allowDecimal={false} required {...form.getInputProps('streams')} />
    </Group>
    {last}
    <Group justify="flex-end">
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" loading={pending}>
        {action}
      </Button>
    </Group>
  </Stack>
);
