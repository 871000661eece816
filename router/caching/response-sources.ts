/** What the response of a query was read from, and whether it is still the same. */
import { randomUUID } from 'node:crypto';
import type { ResponseSources } from '../../schema/entry-point.ts';
import { areas, type Area } from '../../schema/areas.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Execution } from '../executor/executor.ts';
import type { AreaStates } from './area-states.ts';

/** Responses that are read from these areas are never kept: they change without events. */
const neverKept: ReadonlySet<string> = new Set<Area>(['accounts']);
/** Only the responses of anonymous callers are kept: accounts have records without events here, such as feedback. */
const keptForAnonymous: ReadonlySet<string> = new Set<Area>(['scouting']);
/** Responses of these areas change when a deadline passes. */
const timed: ReadonlySet<string> = new Set<Area>(['opportunities', 'scouting']);
const timedMaxAgeMs = 1_000;
/** Others change with the time by days at most, such as ages. */
const maxAgeMs = 30_000;
/** The areas that others query. */
const queried: readonly Area[] = areas.filter((area) => !neverKept.has(area));

export interface SourceTracker {
  /** Runs a query and adds its sources, unless its response must not be kept. */
  track(viewer: Viewer, execute: () => Promise<Execution>): Promise<Execution>;
  isCurrent(sources: ResponseSources, viewer: Viewer): boolean;
}

const viewerTexts = new WeakMap<Viewer, string>();

/** A text that viewers have in common who read the same. The id of the key is none of it: keys of an account differ by their scopes only. */
export function visibilityKey(viewer: Viewer): string {
  const known = viewerTexts.get(viewer);
  if (known !== undefined) return known;
  const { kind, accountId, scopes, sport, sandbox } = viewer;
  const text = JSON.stringify([kind, accountId, scopes, sport, sandbox]);
  viewerTexts.set(viewer, text);
  return text;
}

/** The areas that a response was read from; null if it must not be kept. */
function sourcesOf({ data, errors, notes, areas: read = [], later }: Execution, viewer: Viewer): readonly string[] | null {
  if (data === null || errors.length > 0 || later !== undefined) return null;
  if (notes.minor === true || notes.expires === true || notes.moved !== undefined) return null;
  const sources: readonly string[] = notes.queriesGraph === true ? [...new Set([...read, ...queried])] : read;
  if (sources.some((area) => neverKept.has(area))) return null;
  return viewer.kind !== 'ANONYMOUS' && sources.some((area) => keptForAnonymous.has(area)) ? null : sources;
}

/** The tracker of one graph: a graph with another schema has other sources. */
export function createSourceTracker(states: Pick<AreaStates, 'current'>): SourceTracker {
  const graph = randomUUID();

  return {
    async track(viewer, execute) {
      // the states of the areas are those of the platform's data
      if (viewer.sandbox !== undefined) return execute();
      // before anything is read
      const current = states.current();
      const execution = await execute();
      const sources = sourcesOf(execution, viewer);
      if (sources === null) return execution;
      const generations: Record<string, number> = {};
      for (const area of sources) {
        const generation = current[area];
        if (generation === undefined) return execution;
        generations[area] = generation;
      }
      const longest = sources.some((area) => timed.has(area)) ? timedMaxAgeMs : maxAgeMs;
      return { ...execution, sources: { graph, viewer: visibilityKey(viewer), generations, maxAgeMs: longest } };
    },
    isCurrent(sources, viewer) {
      if (sources.graph !== graph || sources.viewer !== visibilityKey(viewer)) return false;
      const current = states.current();
      for (const area in sources.generations) if (current[area] !== sources.generations[area]) return false;
      return true;
    },
  };
}
