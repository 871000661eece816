/** Replaces a screen that failed to load: displays the error response, or a generic message for an error of the dashboard. */
import { Box, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { ErrorAlert } from '../components/query-result.tsx';
import { Screen } from '../components/screen.tsx';
import { RequestError } from '../graph/request-error.ts';

interface ScreenErrorProps {
  readonly error: unknown;
}

const requestErrorOf = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : new RequestError('Something went wrong on this page. Reload it, especially if the platform was just updated.', {
        code: 'internal',
      });

/** Inside of the frame: the navigation stays. While the platform does not respond, the banner of the frame has the retry. */
export function ScreenError({ error }: ScreenErrorProps) {
  const router = useRouter();
  const requestError = requestErrorOf(error);
  return (
    <Screen title="This screen did not load">
      {requestError.code === 'unreachable' ? (
        <Text>It loads as soon as the platform responds. Screens that you opened before are still available.</Text>
      ) : (
        <ErrorAlert error={requestError} retry={() => void router.invalidate()} />
      )}
    </Screen>
  );
}

/** Without the frame, for example when the session failed to load. */
export function PageError({ error }: ScreenErrorProps) {
  const router = useRouter();
  return (
    <Box component="main" p="lg">
      <ErrorAlert error={requestErrorOf(error)} retry={() => void router.invalidate()} />
    </Box>
  );
}
