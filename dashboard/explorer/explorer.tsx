/** GraphiQL over one of our graphs, from our own files, with a place for the API key that no disk keeps. */
import { GraphiQL, type GraphiQLProps } from 'graphiql';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { ExploredGraph } from './graphs.ts';

const keyName = 'explorer-api-key';

/** Each graph has tabs of its own; without room or permission to store them, they last as long as the page. */
function tabsOf(graph: ExploredGraph): GraphiQLProps['storage'] {
  const prefix = `${graph.path}:`;
  const { localStorage: kept } = window;
  const own = (): string[] => Object.keys(kept).filter((key) => key.startsWith(prefix));
  return {
    get length() {
      return own().length;
    },
    getItem: (key) => kept.getItem(prefix + key),
    setItem: (key, value) => kept.setItem(prefix + key, value),
    removeItem: (key) => kept.removeItem(prefix + key),
    clear: () => {
      for (const key of own()) kept.removeItem(key);
    },
  };
}

function fetcherOf(graph: ExploredGraph, key: string): GraphiQLProps['fetcher'] {
  return async (params, options) => {
    const response = await fetch(graph.path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...options?.headers,
        'content-type': 'application/json',
        ...(graph.asks === 'KEY' && key !== '' && { 'x-api-key': key }),
      },
      body: JSON.stringify(params),
    });
    // a session that ended: through the sign-in, and back here
    if (graph.asks === 'SESSION' && response.status === 401) window.location.assign('/admin/sign-in?back=%2Fexplorer');
    return (await response.json()) as object;
  };
}

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)');

/** As it was chosen in the dashboard, or as the system has it. */
function useTheme(): 'dark' | 'light' {
  const isDark = useSyncExternalStore(
    (changed) => {
      darkSystem.addEventListener('change', changed);
      return () => darkSystem.removeEventListener('change', changed);
    },
    () => darkSystem.matches,
  );
  const chosen = window.localStorage.getItem('mantine-color-scheme-value');
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return isDark ? 'dark' : 'light';
}

export function Explorer({ graph }: { readonly graph: ExploredGraph }) {
  const [key, setKey] = useState(() => window.sessionStorage.getItem(keyName) ?? '');
  const fetcher = useMemo(() => fetcherOf(graph, key), [graph, key]);
  const storage = useMemo(() => tabsOf(graph), [graph]);
  const theme = useTheme();
  return (
    <>
      <header className="explorer-bar">
        <h1>{graph.name}</h1>
        {graph.asks === 'KEY' && (
          <label>
            API key
            <input
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="for writes and for your own quota"
              value={key}
              onChange={({ currentTarget: { value } }) => {
                setKey(value);
                window.sessionStorage.setItem(keyName, value.trim());
              }}
            />
          </label>
        )}
        <nav aria-label="Elsewhere">
          {graph.links.map(({ href, label }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      <main className="explorer-place">
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
