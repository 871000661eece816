/** The entry point of the explorer: the public API at /graphql, the admin API at /admin/explorer. */
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Explorer } from './explorer.tsx';
import { adminGraph, publicGraph } from './graphs.ts';
import './explorer.css';

const root = document.getElementById('root');
if (root === null) throw new Error('explorer.html has no #root element');
const graph = window.location.pathname.startsWith('/admin') ? adminGraph : publicGraph;
createRoot(root).render(
  <StrictMode>
    <Explorer graph={graph} />
  </StrictMode>,
);
