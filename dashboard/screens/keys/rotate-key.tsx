/** The dialog that replaces an API key. The old key stays valid for a grace period. */
import { Alert, Modal, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmationField, isNameConfirmed } from '../../components/confirm-dialog.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { KeyImpact } from './key-impact.tsx';
import type { KeyDetails } from './key.tsx';

const rotateKeyMutation = graphql(`
  mutation RotateApiKey($id: ID!, $graceSeconds: Int!) {
    rotateApiKey(id: $id, graceSeconds: $graceSeconds) {
      key
      apiKey {
        id
      }
    }
  }
`);

/** Grace periods by their hours. */
const gracePeriods = [
  { value: '0', label: 'None (revoke the old key immediately)' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: 'CUSTOM', label: 'Custom' },
] as const;

const hourSeconds = 3_600;
const hoursMax = 168;

interface RotateKeyProps {
  readonly apiKey: KeyDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export function RotateKey({ apiKey, opened, close }: RotateKeyProps) {
  const navigate = useNavigate();
  const rotate = useGraphMutation(rotateKeyMutation, { isSecret: true, onSuccess: close });
  const issued = rotate.data?.rotateApiKey;
  const openNewKey = (): void => {
    if (issued) void navigate({ to: '/keys/$id', params: { id: issued.apiKey.id } });
    rotate.reset();
  };
  return (
    <>
      <Modal opened={opened} onClose={close} title="Rotate API key">
        {opened && (
          <RotateForm
            apiKey={apiKey}
            close={close}
            isPending={rotate.isPending}
            rotate={(graceSeconds) => rotate.mutate({ id: apiKey.id, graceSeconds })}
          />
        )}
      </Modal>
      <SecretDialog title="New API key issued" secret={issued?.key ?? null} close={openNewKey} />
    </>
  );
}

interface RotateFormProps {
  readonly apiKey: KeyDetails;
  readonly close: () => void;
  readonly isPending: boolean;
  readonly rotate: (graceSeconds: number) => void;
}

function RotateForm({ apiKey, close, isPending, rotate }: RotateFormProps) {
  const [grace, setGrace] = useState<string>('24');
  const [customHours, setCustomHours] = useState<string | number>(48);
  const [typed, setTyped] = useState('');
  const hours = Number(grace === 'CUSTOM' ? customHours : grace);
  const isConfirmed = hours > 0 || isNameConfirmed(apiKey.name, typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) rotate(Math.round(hours * hourSeconds));
      }}
    >
      <Stack>
        <Text>The new key has a new secret. Scopes, plan and quota stay the same.</Text>
        <Select
          data-autofocus
          label="Grace period of the old key"
          data={[...gracePeriods]}
          value={grace}
          onChange={(selected) => setGrace(selected ?? '24')}
          allowDeselect={false}
        />
        {grace === 'CUSTOM' && (
          <NumberInput
            label="Hours"
            description={`At most ${hoursMax} hours (7 days).`}
            min={0}
            max={hoursMax}
            decimalScale={2}
            value={customHours}
            onChange={setCustomHours}
            required
          />
        )}
        {hours === 0 && (
          <>
            <Alert color="orange" icon={<IconAlertTriangle />}>
              <Text inherit>Requests with the old key fail immediately.</Text>
              <KeyImpact apiKey={apiKey} />
            </Alert>
            <ConfirmationField name={apiKey.name} typed={typed} onType={setTyped} />
          </>
        )}
        <FormButtons
          submit="Rotate"
          color={hours === 0 ? 'red' : undefined}
          disabled={!isConfirmed}
          isPending={isPending}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
