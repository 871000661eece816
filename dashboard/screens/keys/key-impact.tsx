/** The recent use of an API key, displayed before an action that makes clients fail. */
import { Text } from '@mantine/core';
import { formatCount } from '../../components/number-format.ts';
import { formatRelative } from '../../components/timestamp.tsx';

export interface KeyUse {
  readonly requestsLast24Hours: number;
  readonly lastUsedAt: string | null;
}

export const KeyImpact = ({ apiKey: { requestsLast24Hours, lastUsedAt } }: { readonly apiKey: KeyUse }) => (
  <Text inherit>
    {requestsLast24Hours === 1 ? '1 request' : `${formatCount(requestsLast24Hours)} requests`} in the last 24 hours,{' '}
    {lastUsedAt === null ? 'never used' : `last used ${formatRelative(lastUsedAt)}`}.
  </Text>
);
