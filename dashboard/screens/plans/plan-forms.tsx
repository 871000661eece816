/** The dialogs that create a plan and edit a plan, which creates its next version. */
import { Alert, Group, Modal, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../../components/edit-conflict.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { formatCount } from '../../components/number-format.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import {
  decimalsOf,
  LimitsFields,
  numberOrNull,
  PriceFields,
  priceOf,
  type LimitsValues,
  type NumberValue,
} from './limits-fields.tsx';
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
  readonly webhooks: NumberValue;
  readonly streams: NumberValue;
  /** Days: 7 or 30. */
  readonly requestLogDays: string;
}

const requestLogChoices = ['7', '30'].map((value) => ({ value, label: `${value} days` }));

const emptyValues: Values = {
  code: '',
  name: '',
  writes: false,
  webhooks: 0,
  streams: 0,
  requestLogDays: '7',
  burstPerMinute: '',
  perDay: '',
  perMonth: '',
  amount: '',
  currency: 'EUR',
};

const inputOf = ({ name, writes, webhooks, streams, requestLogDays, burstPerMinute, perDay, perMonth, ...price }: Values) => ({
  name,
  writes,
  webhooks: numberOrNull(webhooks) ?? 0,
  streams: numberOrNull(streams) ?? 0,
  requestLogDays: Number(requestLogDays),
  limits: { burstPerMinute: Number(burstPerMinute), perDay: Number(perDay), perMonth: Number(perMonth) },
  price: priceOf(price) ?? { amountMinor: 0, currency: price.currency },
});

const valuesOf = ({ code, name, writes, webhooks, streams, requestLogDays, limits, price }: PlanVersion): Values => ({
  ...limits,
  code,
  name,
  writes,
  webhooks,
  streams,
  requestLogDays: String(requestLogDays),
  currency: price.currency,
  amount: price.amountMinor / 10 ** decimalsOf(price.currency),
});

const fieldsOf = (values: Values): ConflictFields => ({
  Name: values.name,
  'Requests per minute': String(values.burstPerMinute),
  'Requests per day': String(values.perDay),
  'Requests per month': String(values.perMonth),
  'Price per month': `${values.currency} ${values.amount}`,
  'Write scopes': values.writes ? 'Allowed' : 'Not allowed',
  'Webhook endpoints': String(values.webhooks),
  'Event streams': String(values.streams),
  'Request log': `${values.requestLogDays} days`,
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
  const form = useForm<Values>({ initialValues: emptyValues });
  const { mutate, isPending } = useGraphMutation(createPlanMutation, {
    successMessage: 'Plan created',
    onSuccess: ({ createPlan: { code } }) => {
      close();
      void navigate({ to: '/plans/$code', params: { code } });
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ input: { code: values.code, ...inputOf(values) } }))}>
      <Stack>
        <TextInput
          data-autofocus
          label="Code"
          description="Identifies the plan in commands and error messages. Lowercase letters, digits and hyphens. Cannot be changed."
          required
          maxLength={40}
          pattern="[a-z][a-z0-9\-]{0,39}"
          autoComplete="off"
          {...form.getInputProps('code')}
        />
        <Fields form={form} />
        <FormButtons submit="Create plan" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

interface EditPlanProps extends DialogProps {
  readonly plan: PlanVersion;
}

export const EditPlan = ({ opened, close, plan }: EditPlanProps) => (
  <Modal opened={opened} onClose={close} title="Edit plan" size="lg">
    {opened && <ReloadableForm>{(reload) => <EditForm plan={plan} close={close} reload={reload} />}</ReloadableForm>}
  </Modal>
);

interface EditFormProps extends Omit<EditPlanProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ plan, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(plan);
  const { code, liveKeys, version } = initial;
  const form = useForm<Values>({ initialValues: valuesOf(initial) });
  const { mutate, isPending, error } = useGraphMutation(changePlanMutation, {
    successMessage: 'New plan version created',
    onSuccess: close,
    onError: (requestError) => {
      form.setErrors(violationsByField(requestError));
      return isEditConflict(requestError);
    },
  });
  const keys = liveKeys === 1 ? '1 live API key stays' : `${formatCount(liveKeys)} live API keys stay`;
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ code, ifMatch: String(version), input: inputOf(values) }))}>
      <Stack>
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={plan.version === version ? null : fieldsOf(valuesOf(plan))}
            yours={fieldsOf(form.values)}
          />
        )}
        <Alert icon={<IconInfoCircle />}>
          {keys} on version {version} until you move them. New API keys get version {version + 1}.
        </Alert>
        <Fields form={form} autoFocus />
        <FormButtons submit={`Create version ${version + 1}`} isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<Values>;
  /** Whether the dialog starts in the name field. */
  readonly autoFocus?: boolean;
}

const Fields = ({ form, autoFocus }: FieldsProps): ReactNode => (
  <>
    <TextInput
      data-autofocus={autoFocus}
      label="Name"
      required
      maxLength={100}
      autoComplete="off"
      {...form.getInputProps('name')}
    />
    <LimitsFields form={form} required />
    <PriceFields form={form} required />
    <Switch label="Allow write scopes" {...form.getInputProps('writes', { type: 'checkbox' })} />
    <Group grow>
      <NumberInput label="Webhook endpoints" min={0} allowDecimal={false} required {...form.getInputProps('webhooks')} />
      <NumberInput label="Event streams" min={0} allowDecimal={false} required {...form.getInputProps('streams')} />
    </Group>
    <Select
      label="Request log"
      description="How long the requests of keys with this plan are retained."
      data={requestLogChoices}
      allowDeselect={false}
      required
      {...form.getInputProps('requestLogDays')}
    />
  </>
);
