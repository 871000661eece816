/** `npm run keys -- rotate | move | disable | enable | revoke`: changes an existing key. */
import { parseArgs } from 'node:util';
import type { Administration } from './administration.ts';
import { UsageError } from './command.ts';
import { accountToChange, keyIdOf, publicIdOf, required, withAdministration } from './key-administration.ts';
import { tryIt } from './key-issue.ts';
import { graceOf } from './key-texts.ts';

const text = { type: 'string' } as const;

export async function rotate(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { grace: { ...text, default: '24h' }, quiet: { type: 'boolean' } },
    allowPositionals: true,
  });
  const publicId = publicIdOf(positionals);
  const graceSeconds = graceOf(values.grace);
  await withAdministration(async (administration) => {
    const id = await keyIdOf(administration, publicId);
    const { rotateApiKey } = await administration.execute<{
      rotateApiKey: { key: string; apiKey: { rotatedFrom: { status: string; expiresAt: string | null } } };
    }>(
      `mutation ($id: ID!, $graceSeconds: Int!) { rotateApiKey(id: $id, graceSeconds: $graceSeconds) {
        key apiKey { rotatedFrom { status expiresAt } } } }`,
      { id, graceSeconds },
    );
    const { key, apiKey } = rotateApiKey;
    if (values.quiet) return console.log(key);
    const { status, expiresAt } = apiKey.rotatedFrom;
    const rest = status === 'REVOKED' ? 'is revoked' : `is accepted until ${expiresAt ?? ''}`;
    console.log(`The successor of ${publicId}, which ${rest}. Keep it now: it is not shown again.

${tryIt(key)}`);
  });
}

/** Disables, enables or revokes. */
const step =
  (verb: 'disable' | 'enable' | 'revoke', done: string) =>
  async (args: string[]): Promise<void> => {
    const { values, positionals } = parseArgs({ args, options: { reason: text }, allowPositionals: true });
    const publicId = publicIdOf(positionals);
    // only revocation stores a reason
    const reason = verb === 'revoke' ? required(values.reason, '--reason') : (values.reason ?? null);
    await withAdministration(async (administration) => {
      const id = await keyIdOf(administration, publicId);
      await administration.execute(`mutation ($id: ID!, $reason: String) { ${verb}ApiKey(id: $id, reason: $reason) { id } }`, {
        id,
        reason,
      });
      console.log(`${publicId} is ${done}.`);
    });
  };

export const disable = step('disable', 'disabled');
export const enable = step('enable', 'enabled');
export const revoke = step('revoke', 'revoked');

const times = new Map([
  ['by-price', 'BY_PRICE'],
  ['now', 'NOW'],
  ['period-end', 'PERIOD_END'],
]);

interface Moved {
  readonly publicId: string;
  readonly plan: { readonly code: string };
  readonly nextPlan: { readonly code: string; readonly at: string } | null;
}

const summaryOf = ({ publicId, plan, nextPlan }: Moved): string =>
  `${publicId} is on the plan "${plan.code}"${nextPlan ? `, and on "${nextPlan.code}" from ${nextPlan.at}` : ''}.`;

async function moveAccount({ execute }: Administration, id: string, plan: string, when: string): Promise<void> {
  const { moveAccount: moved } = await execute<{
    moveAccount: { name: string; keys: { nodes: (Moved & { status: string })[] } };
  }>(
    `mutation ($id: ID!, $plan: String!, $when: PlanChangeTime!) { moveAccount(id: $id, plan: $plan, when: $when) {
      name keys(first: 100) { nodes { publicId status plan { code } nextPlan { code at } } } } }`,
    { id, plan, when },
  );
  const live = moved.keys.nodes.filter(({ status }) => status !== 'REVOKED');
  console.log(live.length === 0 ? `${moved.name} has no live keys.` : live.map(summaryOf).join('\n'));
}

export async function move(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { plan: text, account: text, when: { ...text, default: 'by-price' } },
    allowPositionals: true,
  });
  const plan = required(values.plan, '--plan');
  const when = times.get(values.when);
  if (when === undefined) throw new UsageError(`--when is ${[...times.keys()].join(', ')}.`);
  if ((values.account === undefined) === (positionals[0] === undefined))
    throw new UsageError('Say which key (sp_live_… or sp_test_…), or which --account.');
  await withAdministration(async (administration) => {
    if (values.account !== undefined)
      return moveAccount(administration, await accountToChange(administration, values.account), plan, when);
    const id = await keyIdOf(administration, publicIdOf(positionals));
    const { moveApiKey } = await administration.execute<{ moveApiKey: Moved }>(
      `mutation ($id: ID!, $plan: String!, $when: PlanChangeTime!) { moveApiKey(id: $id, plan: $plan, when: $when) {
        publicId plan { code } nextPlan { code at } } }`,
      { id, plan, when },
    );
    console.log(summaryOf(moveApiKey));
  });
}
