/** The dialog that replaces an API key. The old key stays valid for a grace period. */
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import type { KeyDetails } from './key.tsx';
import { RotateForm } from './rotate-form.tsx';

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
