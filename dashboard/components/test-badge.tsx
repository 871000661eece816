/** Marks a key that works on test data. */
import { Badge } from '@mantine/core';

/** Nothing for a live key. */
export const TestBadge = ({ mode }: { readonly mode: 'LIVE' | 'TEST' }) =>
  mode === 'TEST' && (
    <Badge size="sm" variant="light" color="orange" tt="none">
      Test
    </Badge>
  );
