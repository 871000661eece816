/** Replaces a screen that failed to load: displays the error response, or a generic message for an error of the dashboard. */
import { Box } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { ErrorAlert } from '../components/query-result.tsx';
import { RequestError } from '../graph/request-error.ts';

export function ScreenError({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const requestError =
    error instanceof RequestError
      ? error
      : new RequestError('Something went wrong on this page. Reload it, especially if the platform was just updated.', {
          code: 'internal',
        });
  return (
    <Box component="main" p="lg">
      <ErrorAlert error={requestError} retry={() => void router.invalidate()} />
    </Box>
  );
}
