/** The entry point of the portal in the browser. */
import { nonce } from '../nonce.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../graph/query-client.ts';
import { createPortalRouter } from './routes.tsx';
import { printInLight } from '../shell/print-scheme.ts';
import '../styles.css';
import { readableColors, theme } from '../theme.ts';

const client = createQueryClient(() => void router.invalidate());
const router = createPortalRouter(client);

printInLight();
const root = document.getElementById('root');
if (root === null) throw new Error('portal.html has no #root element');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
