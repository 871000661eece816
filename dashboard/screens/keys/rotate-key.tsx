/** Gives a key a successor with a new secret; the old one is accepted for a time of grace. */
import { Alert, Button, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { isTyped, NameToType } from '../../parts/confirm-by-name.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { WhatBreaks } from './key-actions.tsx';
import type { KeyShown } from './key.tsx';

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

const graces = [
  { value: '0', label: 'None: revoke it at once' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: 'OWN', label: 'Another time' },
] as const;

const hourSeconds = 3_600;
const hoursMax = 168;

interface RotateKeyProps {
  readonly of: KeyShown;
  readonly opened: boolean;
  readonly close: () => void;
}

export function RotateKey({ of, opened, close }: RotateKeyProps) {
  const navigate = useNavigate();
  const rotate = useChange(rotateKeyMutation, { secret: true, done: close });
  const issued = rotate.data?.rotateApiKey;
  const leave = (): void => {
    if (issued) void navigate({ to: '/keys/$id', params: { id: issued.apiKey.id } });
    rotate.reset();
  };
  return (
    <>
      <Modal opened={opened} onClose={close} title="Rotate this key">
        {opened && (
          <Question
            of={of}
            close={close}
            pending={rotate.isPending}
            rotate={(graceSeconds) => rotate.mutate({ id: of.id, graceSeconds })}
          />
        )}
      </Modal>
      <SecretOnce title="The successor is issued" secret={issued?.key ?? null} close={leave} />
    </>
  );
}

interface QuestionProps {
  readonly of: KeyShown;
  readonly close: () => void;
  readonly pending: boolean;
  readonly rotate: (graceSeconds: number) => void;
}

function Question({ of, close, pending, rotate }: QuestionProps) {
  const [grace, setGrace] = useState<string>('24');
  const [own, setOwn] = useState<string | number>(48);
  const [typed, setTyped] = useState('');
  const hours = Number(grace === 'OWN' ? own : grace);
  const isSure = hours > 0 || isTyped(of.name, typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSure) rotate(Math.round(hours * hourSeconds));
      }}
    >
      <Stack>
        <Text>The successor has the same rights, plan and quota, and a new secret.</Text>
        <Select
          label="The old key is accepted for"
          data={[...graces]}
          value={grace}
          onChange={(chosen) => setGrace(chosen ?? '24')}
          allowDeselect={false}
        />
        {grace === 'OWN' && (
          <NumberInput
            label="Hours"
            description="At most 168: seven days."
            min={0}
            max={hoursMax}
            decimalScale={2}
            value={own}
            onChange={setOwn}
            required
          />
        )}
        {hours === 0 && (
          <>
            <Alert color="orange" icon={<IconAlertTriangle />}>
              <Text inherit>The old key is refused at once.</Text>
              <WhatBreaks of={of} />
            </Alert>
            <NameToType name={of.name} typed={typed} onType={setTyped} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color={hours === 0 ? 'red' : undefined} disabled={!isSure} loading={pending}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
