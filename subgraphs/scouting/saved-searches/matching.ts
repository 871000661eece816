/** Runs due saved searches as their accounts, stores new matches and publishes an event for each run that found some. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Consumer } from '../../../platform/events/consumer.ts';
import { changeRow, lockRow } from '../../../platform/writes/resource.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { Problem } from '../../../schema/errors.ts';
import { accountViewer } from '../../../schema/viewer.ts';
import { fetchActiveAccounts } from '../../clients/active-accounts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { readWalk, type Walk } from './list-pages.ts';
import { addMatches, claimDue, finishRun, lockUnchanged, postpone, type DueSearch } from './matching-state.ts';
import { savedSearchResource } from './rows.ts';

/** Reads what has changed since the last run. A cursor that is no longer valid starts the walk again. */
async function readChanges(graph: Graph, search: DueSearch): Promise<Walk> {
  const { changedSince, changeCursor } = search;
  try {
    return await readWalk(graph, search, { after: changeCursor, changedSince });
  } catch (error) {
    if (changeCursor === null || !(error instanceof Problem) || error.code !== 'cursor_invalid') throw error;
    return readWalk(graph, search, { after: null, changedSince });
  }
}

/** Searches that are claimed together. */
const batchSize = 10;
/** A pass of the relay waits for the searches no longer than this. */
const passMaxMs = 20;

/**
 * The consumer of the area's own clock. Due searches run next to the relay, so that a slow one delays no event: a call starts them and
 * reports whether they still run.
 */
export function savedSearchesConsumer({ database, writer, graphFor }: AreaServices): Consumer {
  let running: Promise<unknown[]> | null = null;

  async function run(search: DueSearch): Promise<void> {
    const graph = graphFor(accountViewer(search.accountId, []));
    const changes = await readChanges(graph, search);
    // age, contracts and memberships let an athlete match without a change of the profile
    const newest = search.scanDue ? await readWalk(graph, search, { after: null, changedSince: null }) : null;
    const at = new Date().toISOString();
    await database.transaction(async (transaction) => {
      if (!(await lockUnchanged(transaction, search))) return;
      const count = await addMatches(transaction, search, [...changes.subjects, ...(newest?.subjects ?? [])], at);
      await finishRun(transaction, search, changes.next, newest !== null);
      if (count === 0) return;
      await writer.writeWithin(transaction, async (work) => {
        const row = await lockRow(work, savedSearchResource, search.id);
        const note = { action: 'matched', event: 'saved_search.matched' } as const;
        await changeRow(work, savedSearchResource, row, { lastMatchedAt: at }, note);
      });
    });
  }

  /** Those of active accounts; the others are postponed. */
  async function ofActiveAccounts(due: readonly DueSearch[], graph: Graph): Promise<readonly DueSearch[]> {
    const active = await fetchActiveAccounts(
      graph,
      due.map(({ accountId }) => accountId),
    );
    const others = due.filter(({ accountId }) => !active.has(accountId));
    if (others.length > 0) await postpone(database, others);
    return due.filter(({ accountId }) => active.has(accountId));
  }

  /** Runs all due searches. Returns the errors of those that failed, which are due again when their claims end. */
  async function runDue(graph: Graph): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (;;) {
      const due = await claimDue(database, batchSize);
      for (const search of await ofActiveAccounts(due, graph)) await run(search).catch((error: unknown) => errors.push(error));
      if (due.length < batchSize) return errors;
    }
  }

  return {
    name: 'saved-searches',
    source: 'scouting',
    database,
    async catchUp(graph) {
      running ??= runDue(graph).catch((error: unknown) => [error]);
      const errors = await Promise.race([running, wait(passMaxMs, null)]);
      if (errors === null) return true;
      running = null;
      if (errors.length > 0) throw errors[0];
      return false;
    },
  };
}
