/** The dialog that sets up an authenticator app: the password, the QR code, and the recovery codes, which are displayed once. */
import { Alert, Button, Center, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import { FormButtons } from '../components/form-buttons.tsx';
import { ErrorAlert } from '../components/query-result.tsx';
import { Copyable } from '../components/secret-dialog.tsx';
import { app } from '../graph/app.ts';
import type { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';

interface Prepared {
  /** For entry by hand. */
  readonly secret: string;
  /** For the QR code. */
  readonly uri: string;
}

interface SecondFactorSetupProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export const SecondFactorSetup = ({ opened, close }: SecondFactorSetupProps) => (
  <Modal
    opened={opened}
    onClose={close}
    title="Set up second factor"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {opened && <Steps close={close} />}
  </Modal>
);

/** Secret and codes exist in this component only. */
function Steps({ close }: { readonly close: () => void }) {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} close={close} />;
  if (prepared !== null) return <ConfirmStep prepared={prepared} onConfirmed={setCodes} close={close} />;
  return <PasswordStep onPrepared={setPrepared} close={close} />;
}

interface PasswordStepProps {
  readonly onPrepared: (prepared: Prepared) => void;
  readonly close: () => void;
}

function PasswordStep({ onPrepared, close }: PasswordStepProps) {
  const form = useForm({ initialValues: { current: '' } });
  const { mutate, isPending, error } = useMutation<Prepared, RequestError, typeof form.values>({
    mutationFn: (body) => requestJson(`${app.base}/second-factor`, { method: 'POST', body }),
    onSuccess: onPrepared,
    gcTime: 0,
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('current')}
        />
        <FormButtons submit="Continue" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

interface ConfirmStepProps {
  readonly prepared: Prepared;
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly close: () => void;
}

function ConfirmStep({ prepared: { secret, uri }, onConfirmed, close }: ConfirmStepProps) {
  const form = useForm({ initialValues: { code: '' } });
  const { mutate, isPending, error } = useMutation<{ recoveryCodes: readonly string[] }, RequestError, typeof form.values>({
    mutationFn: ({ code }) =>
      requestJson(`${app.base}/second-factor/confirmation`, { method: 'POST', body: { code: code.trim() } }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    onError: () => form.setFieldValue('code', ''),
    gcTime: 0,
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        <Text>
          Scan the QR code with your authenticator app, or enter the secret there. Then enter the code that it displays.
        </Text>
        <Center>
          <QrCode label="QR code of the secret" text={uri} />
        </Center>
        <Copyable label="secret" text={secret} />
        {error !== null && <ErrorAlert error={error} />}
        <CodeField description="The 6 digits in your authenticator app." autoFocus {...form.getInputProps('code')} />
        <FormButtons submit="Confirm" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

const RecoveryCodes = ({ codes, close }: { readonly codes: readonly string[]; readonly close: () => void }) => (
  <Stack>
    <Alert color="orange" icon={<IconEye />} title="Save the recovery codes now">
      They will not be shown again. Each code replaces a code of the app once, for example when you lose your phone.
    </Alert>
    <Copyable label="recovery codes" text={codes.join('\n')} />
    <Text>Your other sessions were signed out.</Text>
    <Group justify="flex-end">
      <Button onClick={close}>I have saved them</Button>
    </Group>
  </Stack>
);
