/** Marks test data, and a key that works on test data. */
import { Badge } from '@mantine/core';

/** Nothing for live data. */
export const TestBadge = ({ mode }: { readonly mode: 'LIVE' | 'TEST' }) =>
  mode === 'TEST' && (
    <Badge component="span" size="sm" variant="light" color="orange" tt="none">
      Test
    </Badge>
  );
