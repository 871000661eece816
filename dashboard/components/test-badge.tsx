/** Marks a key that works on test data. */
import { Badge } from '@mantine/core';

/** Nothing for a key with another public ID. */
export const TestBadge = ({ publicId }: { readonly publicId: string }) =>
  publicId.startsWith('sp_test_') && (
    <Badge size="sm" variant="light" color="orange" tt="none">
      Test
    </Badge>
  );
