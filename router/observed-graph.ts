/** Executions of operations as spans and metrics. */
import { recordOperation } from '../platform/telemetry/metrics.ts';
import { outcomeOf } from '../platform/telemetry/outcome.ts';
import { withSpan } from '../platform/telemetry/tracing.ts';
import { Problem } from '../schema/errors.ts';
import type { Execution } from './executor/executor.ts';
import type { GraphOperation, GraphRun } from './graph.ts';

type Execute = (operation: GraphOperation, run: GraphRun) => Promise<Execution>;

/** Names without those of clients: they choose any number. */
const audienceNames = { public: 'graphql', admin: 'admin', portal: 'portal', internal: 'internal' } as const;

/** The `operationId` of REST, whose documents differ behind a dot, or the API of other operations. */
function nameOf(operation: GraphOperation): string {
  if (!('id' in operation)) return audienceNames[operation.audience];
  const dot = operation.id.indexOf('.');
  return dot === -1 ? operation.id : operation.id.slice(0, dot);
}

/** Wraps the execution of operations. */
export function observeExecutions(execute: Execute): Execute {
  return async (operation, run) => {
    const startedMs = performance.now();
    const name = nameOf(operation);
    const attributes = { 'graphql.operation.name': name };
    try {
      const execution = await withSpan({ name: `graphql ${name}`, kind: 'INTERNAL', attributes }, () => execute(operation, run));
      recordOperation({ operation: name, outcome: outcomeOf(execution.errors) ?? 'ok' }, performance.now() - startedMs);
      return execution;
    } catch (error) {
      const outcome = error instanceof Problem ? error.code : 'internal';
      recordOperation({ operation: name, outcome }, performance.now() - startedMs);
      throw error;
    }
  };
}
