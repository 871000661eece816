/** The actions on several API keys at once. */
import type { BulkAction } from '../../components/bulk-actions.tsx';
import type { ApiKeyStatus } from '../../generated/graphql.ts';
import { disableMutation, revokeMutation } from './key-mutations.ts';

interface BulkKey {
  readonly id: string;
  readonly name: string;
  readonly publicId: string;
  readonly status: ApiKeyStatus;
  readonly account: { readonly name: string };
}

const detailsOf = ({ publicId, account }: BulkKey): string => `${publicId}, ${account.name}`;

export const keyBulkActions: readonly BulkAction<BulkKey>[] = [
  {
    verb: 'Disable',
    pastTense: 'disabled',
    document: disableMutation,
    impact: 'Requests with these keys fail within one second, until you enable the keys again.',
    skipReason: ({ status }) => (status === 'ACTIVE' ? null : `skipped: already ${status.toLowerCase()}`),
    detailsOf,
  },
  {
    verb: 'Revoke',
    pastTense: 'revoked',
    document: revokeMutation,
    impact: 'Requests with these keys fail within one second. This cannot be undone.',
    skipReason: ({ status }) => (status === 'REVOKED' ? 'skipped: already revoked' : null),
    detailsOf,
  },
];
