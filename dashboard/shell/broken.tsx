/** A screen that could not be opened: what the platform answered, or a fault of ours. */
import { Box } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Failure } from '../graph/failure.ts';
import { Refused } from '../parts/answered.tsx';

export function Broken({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const failure =
    error instanceof Failure
      ? error
      : new Failure('This screen failed. Loading the page again may help, as after an update of the platform.', {
          code: 'internal',
          requestId: null,
          violations: [],
          retryAfter: null,
        });
  return (
    <Box component="main" p="lg">
      <Refused failure={failure} retry={() => void router.invalidate()} />
    </Box>
  );
}
