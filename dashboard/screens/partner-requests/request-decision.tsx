/** The button and the dialog that grant or decline a request, with a reason for the account. */
import { Button, Modal, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { FormButtons } from '../../components/form-buttons.tsx';

interface RequestDecisionProps {
  readonly verb: 'Grant' | 'Decline';
  readonly isPending: boolean;
  /** The reason is null if it is optional and empty. */
  readonly decide: (reason: string | null, close: () => void) => void;
  /** The effect of the decision, and further fields. */
  readonly children: ReactNode;
}

export function RequestDecision({ verb, ...rest }: RequestDecisionProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant={verb === 'Grant' ? 'filled' : 'default'} onClick={open}>
        {verb}
      </Button>
      <Modal opened={opened} onClose={close} title={`${verb} this request?`}>
        {opened && <DecisionForm verb={verb} close={close} {...rest} />}
      </Modal>
    </>
  );
}

interface DecisionFormProps extends RequestDecisionProps {
  readonly close: () => void;
}

function DecisionForm({ verb, isPending, decide, children, close }: DecisionFormProps) {
  const [text, setText] = useState('');
  const reason = text.trim();
  const isRequired = verb === 'Decline';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        decide(reason === '' ? null : reason, close);
      }}
    >
      <Stack>
        {children}
        <Textarea
          label="Reason"
          description={isRequired ? 'The account reads it.' : 'Optional. The account reads it.'}
          required={isRequired}
          autosize
          minRows={2}
          maxLength={500}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <FormButtons submit={verb} disabled={isRequired && reason === ''} isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
