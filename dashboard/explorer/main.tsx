/** Where the explorer begins in the browser: of the public graph at /graphql, of the admin graph inside the dashboard. */
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Explorer } from './explorer.tsx';
import { adminGraph, publicGraph } from './graphs.ts';
import './explorer.css';

const place = document.getElementById('root');
if (place === null) throw new Error('explorer.html has no place for the explorer');
const graph = window.location.pathname.startsWith('/admin') ? adminGraph : publicGraph;
createRoot(place).render(
  <StrictMode>
    <Explorer graph={graph} />
  </StrictMode>,
);
