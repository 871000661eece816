/** `npm run differential`: runs generated operations through our executor and the stock one, over in-memory subgraphs. */
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../../commands/command.ts';
import { supergraphs } from './supergraphs/all.ts';
import { reportOf, runExperiments } from './experiment-run.ts';

const names = Object.keys(supergraphs);

const help = `Usage: npm run differential -- [--count N] [--seed S] [--schema NAME]
Generates valid operations, executes each with our executor and with executeQueryPlan of @apollo/gateway, and compares data and errors.
Stops at the first difference and prints the smallest operation that reproduces it.
  --count N      operations in all, shared by the supergraphs (default 1000)
  --seed S       everything follows from it (default: the time)
  --schema NAME  one supergraph only: ${names.join(', ')}`;

function readWholeNumber(name: string, value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new UsageError(`--${name} must be a number, not ${value}.`);
  return Number(value);
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      schema: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const [count, seed] = [readWholeNumber('count', values.count), readWholeNumber('seed', values.seed)];
  if (values.schema !== undefined && !names.includes(values.schema))
    throw new UsageError(`Unknown supergraph ${values.schema}: ${names.join(', ')}.`);
  const chosen = values.schema === undefined ? names : [values.schema];
  const each = Math.ceil(count / chosen.length);
  console.log(`${each} operations over each of ${chosen.join(', ')}, seed ${seed}.`);
  for (const name of chosen) {
    const startedAt = Date.now();
    const tell = (done: number): void => {
      if (done % 500 === 0) console.error(`${name}: ${done} of ${each}`);
    };
    const run = await runExperiments(name, each, seed, tell);
    if (run.difference !== null) {
      console.error(reportOf(run));
      throw new Error(`The responses differ. Reproduce: npm run differential -- --schema ${name} --count ${each} --seed ${seed}`);
    }
    const { compared, unplanned, failed, wrong } = run;
    const others = `${unplanned} without a stock plan, ${failed} without a native plan, ${wrong} with a wrong reference response`;
    console.log(`${name}: ${compared} the same, ${others}, ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  }
}

await runCommand(main);
