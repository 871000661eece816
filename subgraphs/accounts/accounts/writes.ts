/** Writes of accounts: create, update and the transitions of their state. */
import { Problem } from '../../../schema/errors.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import { insertInto } from '../../../platform/database/table.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, lockRow, patchResource } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { CreateAccountInput, UpdateAccountInput } from '../generated/resolvers.ts';
import { accountTransitions, type AccountVerb, type TransitionRequest } from './rules.ts';
import type { AccountReads } from './reads.ts';
import { accountResource, accounts, type AccountRow } from './rows.ts';

/** Inserts and records an account. */
export async function insertAccount(transaction: WriteTransaction, values: Partial<AccountRow>): Promise<AccountRow> {
  const [row] = await transaction.query<AccountRow>(insertInto(accounts, values));
  if (!row) throw new Error('insert into account returned no row');
  transaction.record({ action: 'created', event: 'account.created', before: null, after: row });
  return row;
}

/** Reads an account and locks it for share; null if it does not exist. */
export async function findAccount(transaction: WriteTransaction, id: string): Promise<AccountRow | null> {
  const [row] = await transaction.query<AccountRow>(
    sql`/* accounts.find */ select ${accounts.columns} from account where id = ${id} for share`,
  );
  return row ?? null;
}

/**
 * The account with this name, created if it does not exist. Throws Problem conflict (409) if several accounts have the name, or if the one has or had
 * portal users: anyone who registers chooses the name of an account.
 */
export async function findOrCreateAccount(transaction: WriteTransaction, name: string): Promise<AccountRow> {
  // names are not unique, so only a lock prevents concurrent requests from creating the same account twice
  await transaction.query(
    sql`/* accounts.lockName */ select pg_advisory_xact_lock(hashtextextended('account ' || lower(${name}), 0))`,
  );
  const rows = await transaction.query<AccountRow & { readonly hasUsers: boolean }>(sql`/* accounts.byName */
    select ${accounts.columns}, exists (select from account_member m where m.account_id = account.id) as "hasUsers"
    from account where lower(name) = lower(${name}) order by id limit 20 for share`);
  if (rows.length > 1) {
    const ids = rows.map(({ id }) => id).join(', ');
    throw new Problem('conflict', `${rows.length} accounts are named "${name}". Specify the ID of one of them: ${ids}.`);
  }
  const [row] = rows;
  if (row?.hasUsers === true)
    throw new Problem(
      'conflict',
      `The account "${name}" has users of the portal, who may have chosen its name. Check the account, and specify its ID: ${row.id}.`,
    );
  return row ?? insertAccount(transaction, { name });
}

/** Writes of accounts over the area's database. */
export function createAccountWrites({ writer, announce }: AreaServices, reads: AccountReads) {
  const replayable = replaysOf(reads.byId);

  return {
    create(context: Context, input: CreateAccountInput, key: string | null | undefined): Promise<AccountRow> {
      const { name, email = null, organizationId = null } = input;
      const work = (transaction: WriteTransaction) => insertAccount(transaction, { name, email, organizationId });
      return writer.write(context, work, replayable(context, 'createAccount', key, input));
    },
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). */
    update(context: Context, id: string, input: UpdateAccountInput, ifMatch: string): Promise<AccountRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockRow(transaction, accountResource, id);
        requireVersion(ifMatch, before.version);
        return patchResource(transaction, accountResource, before, rowValues(accounts, input), undefined);
      });
    },
    /** Changes the state of an account, and thereby whether its keys are accepted. Throws Problem not_found (404) or invalid_transition (409). */
    async transition(
      context: Context,
      verb: AccountVerb,
      { id, reason, idempotencyKey }: TransitionRequest,
    ): Promise<AccountRow> {
      const row = await writer.write(
        context,
        async (transaction) => {
          const before = await lockRow(transaction, accountResource, id);
          const status = nextState(accountTransitions, verb, before.status, ['MODERATOR']);
          const change = { action: verb, event: 'account.status_changed', data: reason ? { reason } : {} } as const;
          return changeRow(transaction, accountResource, before, { status }, change);
        },
        replayable(context, `${verb}Account`, idempotencyKey, { id, reason }),
      );
      await announce?.('*');
      return row;
    },
  };
}
