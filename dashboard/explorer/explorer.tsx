/** GraphiQL for one of the GraphQL APIs, served from this host. The API key is stored for the browser tab only. */
import { GraphiQL, type GraphiQLProps } from 'graphiql';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { ExploredGraph } from './graphs.ts';

const apiKeyItem = 'explorer-api-key';

/** Stores the editor tabs of each API separately in `localStorage`. */
function createTabStorage(graph: ExploredGraph): GraphiQLProps['storage'] {
  const prefix = `${graph.path}:`;
  const { localStorage } = window;
  const keys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  return {
    get length() {
      return keys().length;
    },
    getItem: (key) => localStorage.getItem(prefix + key),
    setItem: (key, value) => localStorage.setItem(prefix + key, value),
    removeItem: (key) => localStorage.removeItem(prefix + key),
    clear: () => {
      for (const key of keys()) localStorage.removeItem(key);
    },
  };
}

function createFetcher(graph: ExploredGraph, apiKey: string): GraphiQLProps['fetcher'] {
  return async (params, options) => {
    const response = await fetch(graph.path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...options?.headers,
        'content-type': 'application/json',
        ...(graph.authentication === 'API_KEY' && apiKey !== '' && { 'x-api-key': apiKey }),
      },
      body: JSON.stringify(params),
    });
    // the session has ended: sign in and return here
    if (graph.authentication === 'SESSION' && response.status === 401) window.location.assign('/admin/sign-in?back=%2Fexplorer');
    // a cast: GraphiQL displays any JSON object
    return (await response.json()) as object;
  };
}

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)');

/** The color scheme selected in the dashboard, or the one of the operating system. */
function useTheme(): 'dark' | 'light' {
  const isDark = useSyncExternalStore(
    (onChange) => {
      darkSystem.addEventListener('change', onChange);
      return () => darkSystem.removeEventListener('change', onChange);
    },
    () => darkSystem.matches,
  );
  const selected = window.localStorage.getItem('mantine-color-scheme-value');
  if (selected === 'dark' || selected === 'light') return selected;
  return isDark ? 'dark' : 'light';
}

export function Explorer({ graph }: { readonly graph: ExploredGraph }) {
  const [apiKey, setApiKey] = useState(() => window.sessionStorage.getItem(apiKeyItem) ?? '');
  const fetcher = useMemo(() => createFetcher(graph, apiKey), [graph, apiKey]);
  const storage = useMemo(() => createTabStorage(graph), [graph]);
  const theme = useTheme();
  return (
    <>
      <header className="explorer-bar">
        <h1>{graph.name}</h1>
        {graph.authentication === 'API_KEY' && (
          <label>
            API key
            <input
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="Optional for public reads"
              value={apiKey}
              onChange={({ currentTarget: { value } }) => {
                setApiKey(value);
                window.sessionStorage.setItem(apiKeyItem, value.trim());
              }}
            />
          </label>
        )}
        <nav aria-label="Related pages">
          {graph.links.map(({ href, label }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      <main className="explorer-main">
        <GraphiQL
          fetcher={fetcher}
          storage={storage}
          forcedTheme={theme}
          defaultTabs={graph.examples.map(({ query, variables = null }) => ({ query, variables }))}
          defaultEditorToolsVisibility="variables"
          inputValueDeprecation
          schemaDescription
        >
          <GraphiQL.Logo>
            <span />
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  );
}
