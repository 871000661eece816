/** The form that chooses the grace period of the old key of a rotation. */
import { Alert, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmationField, isNameConfirmed } from '../../components/confirm-dialog.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { KeyImpact, type KeyUse } from './key-impact.tsx';

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

interface RotateFormProps {
  readonly apiKey: KeyUse & { readonly name: string };
  readonly close: () => void;
  readonly isPending: boolean;
  readonly rotate: (graceSeconds: number) => void;
}

export function RotateForm({ apiKey, close, isPending, rotate }: RotateFormProps) {
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
