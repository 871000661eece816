/** Confirms a mutation that takes a resource out of service, with an optional reason for the audit log. */
import type { ReactNode } from 'react';
import type { Document } from '../graph/graphql.ts';
import { useGraphMutation } from '../graph/operations.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface MutationDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly resource: { readonly id: string; readonly name: string };
  readonly document: Document<unknown, { id: string; reason?: string | null }>;
  /** "API key revoked" */
  readonly successMessage: string;
  /** "Revoke this API key?" */
  readonly title: string;
  /** The verb of the button: "Revoke". */
  readonly action: string;
  /** The impact: "12 requests in the last 24 hours". */
  readonly children: ReactNode;
}

export function MutationDialog({ resource, document, successMessage, close, ...rest }: MutationDialogProps) {
  const { mutate, isPending } = useGraphMutation(document, { successMessage, onSuccess: close });
  return (
    <ConfirmDialog
      {...rest}
      close={close}
      name={resource.name}
      hasReason
      isPending={isPending}
      onConfirm={(reason) => mutate({ id: resource.id, reason })}
    />
  );
}
