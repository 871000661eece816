/** The dialog that requests another plan from the operator, with a reason. */
import { Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormButtons } from '../../../components/form-buttons.tsx';
import { useGraphMutation } from '../../../graph/operations.ts';
import { violationsByField } from '../../../graph/request-error.ts';
import { planSummary } from '../../../screens/plans/plan-summary.ts';
import { graphql } from '../../graphql.ts';
import type { AvailablePlan } from './plan.tsx';

const requestMutation = graphql(`
  mutation CreatePlanRequest($plan: String!, $note: String) {
    createPlanRequest(plan: $plan, note: $note) {
      id
    }
  }
`);

interface RequestPlanProps {
  /** Null while the dialog is closed. */
  readonly plan: AvailablePlan | null;
  readonly close: () => void;
}

export const RequestPlan = ({ plan, close }: RequestPlanProps) => (
  <Modal opened={plan !== null} onClose={close} title={`Request the plan ${plan?.name ?? ''}`}>
    {plan !== null && <RequestForm plan={plan} close={close} />}
  </Modal>
);

function RequestForm({ plan, close }: { readonly plan: AvailablePlan; readonly close: () => void }) {
  const form = useForm({ initialValues: { note: '' } });
  const { mutate, isPending } = useGraphMutation(requestMutation, {
    successMessage: 'Request sent',
    onSuccess: close,
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit(({ note }) => mutate({ plan: plan.code, note: note.trim() === '' ? null : note.trim() }))}>
      <Stack>
        <Text>{planSummary(plan)}</Text>
        <Textarea
          data-autofocus
          label="Reason"
          description="Optional. Describe your use and the number of requests that you expect. The operator reads it."
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          {...form.getInputProps('note')}
        />
        <Text size="sm" c="dimmed">
          Nothing changes until the operator grants the request.
        </Text>
        <FormButtons submit="Send request" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
