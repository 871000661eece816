/** Where the dashboard begins in the browser. */
import { nonce } from './nonce.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './graph/client.ts';
import { createDashboardRouter } from './routes.tsx';
import './styles.css';
import { readableColors, theme } from './theme.ts';

const client = createClient(() => void router.invalidate());
const router = createDashboardRouter(client);

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no place for the dashboard');
createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
