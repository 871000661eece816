/** Writes of incidents, by administrators. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { isXmlText } from '../../../schema/texts.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { insertInto, updateRow } from '../../../platform/database/table.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type {
  IncidentImpact,
  IncidentStatus,
  MutationAddIncidentUpdateArgs,
  MutationCreateIncidentArgs,
  MutationUpdateIncidentArgs,
} from '../generated/resolvers.ts';
import type { StatusReads } from './reads.ts';
import { incidents, type IncidentRow } from './rows.ts';

/** Bound of the updates that a response contains. */
const updatesMax = 200;

const maintenanceStatuses: readonly IncidentStatus[] = ['SCHEDULED', 'IN_PROGRESS', 'RESOLVED'];
const incidentStatuses: readonly IncidentStatus[] = ['INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED'];

const statusesOf = (impact: IncidentImpact): readonly IncidentStatus[] =>
  impact === 'MAINTENANCE' ? maintenanceStatuses : incidentStatuses;

type Checked = Pick<IncidentRow, 'impact' | 'status' | 'startedAt' | 'endsAt'>;

/** Texts that the feed, which is XML, cannot contain. */
const textViolations = (texts: Readonly<Record<string, string | null | undefined>>): (Violation | false)[] =>
  Object.entries(texts).map(
    ([member, text]) =>
      typeof text === 'string' &&
      !isXmlText(text) && {
        pointer: `/${member}`,
        code: 'characters',
        detail: 'must not contain control characters, U+FFFE or U+FFFF',
      },
  );

/** What contradicts another member. */
function violationsOf({ impact, status, startedAt, endsAt }: Checked): (Violation | false)[] {
  const allowed = statusesOf(impact);
  const isMaintenance = impact === 'MAINTENANCE';
  return [
    !allowed.includes(status) && {
      pointer: '/status',
      code: 'invalid_status',
      detail: `With the impact ${impact}, the status is one of ${allowed.join(', ')}.`,
    },
    isMaintenance && endsAt === null && { pointer: '/endsAt', code: 'required', detail: 'Maintenance requires a planned end.' },
    !isMaintenance &&
      endsAt !== null && { pointer: '/endsAt', code: 'not_allowed', detail: 'Only maintenance has a planned end.' },
    endsAt !== null &&
      Date.parse(endsAt) <= Date.parse(startedAt) && {
        pointer: '/endsAt',
        code: 'too_early',
        detail: 'The end must be after the start.',
      },
  ];
}

/** The updates are public and never change, so the history does not repeat them. */
const snapshot = ({ updates: _, ...row }: IncidentRow) => ({ ...row, accountId: null });

function record(transaction: WriteTransaction, action: string, before: IncidentRow | null, after: IncidentRow): IncidentRow {
  transaction.record({ action, event: 'incident.changed', before: before && snapshot(before), after: snapshot(after) });
  return after;
}

async function lock(transaction: Queryable, id: string): Promise<IncidentRow> {
  const [row] = await transaction.query<IncidentRow>(
    sql`/* incidents.lock */ select ${incidents.columns} from incident where id = ${id} for update`,
  );
  if (!row) throw new Problem('not_found', `There is no incident with the ID ${id}.`);
  return row;
}

async function change(
  transaction: WriteTransaction,
  before: IncidentRow,
  values: Partial<IncidentRow>,
  action: string,
): Promise<IncidentRow> {
  const [after] = await transaction.query<IncidentRow>(updateRow(incidents, before, values));
  if (!after) throw new Error('The version of a locked incident changed');
  return record(transaction, action, before, after);
}

/** Writes over the area's database. */
export function createStatusWrites({ writer }: AreaServices, { byId }: StatusReads) {
  const replayable = replaysOf(byId);
  return {
    /** Throws Problem validation_failed (422). */
    create(context: Context, { input, idempotencyKey }: MutationCreateIncidentArgs): Promise<IncidentRow> {
      const { text, ...rest } = input;
      const at = new Date().toISOString();
      const status = input.status ?? (input.impact === 'MAINTENANCE' ? 'SCHEDULED' : 'INVESTIGATING');
      const values = { ...rest, status, startedAt: input.startedAt ?? at, endsAt: input.endsAt ?? null };
      rejectInvalid([...textViolations({ title: input.title, text }), ...violationsOf(values)]);
      const work = async (transaction: WriteTransaction): Promise<IncidentRow> => {
        const resolvedAt = status === 'RESOLVED' ? at : null;
        const [row] = await transaction.query<IncidentRow>(
          insertInto(incidents, { ...values, resolvedAt, updates: [{ at, status, text }] }),
        );
        if (!row) throw new Error('insert into incident returned no row');
        return record(transaction, 'created', null, row);
      };
      return writer.write(context, work, replayable(context, 'createIncident', idempotencyKey, input));
    },
    /** Throws Problem not_found (404), validation_failed (422) or conflict (409: too many updates). */
    addUpdate(context: Context, { id, input, idempotencyKey }: MutationAddIncidentUpdateArgs): Promise<IncidentRow> {
      const { status, text } = input;
      const work = async (transaction: WriteTransaction): Promise<IncidentRow> => {
        const before = await lock(transaction, id);
        rejectInvalid([...textViolations({ text }), ...violationsOf({ ...before, status })]);
        if (before.updates.length >= updatesMax)
          throw new Problem('conflict', `An incident has at most ${updatesMax} updates. Create another incident.`);
        const at = new Date().toISOString();
        const resolvedAt = status === 'RESOLVED' ? (before.resolvedAt ?? at) : null;
        return change(
          transaction,
          before,
          { status, resolvedAt, updates: [{ at, status, text }, ...before.updates] },
          'update_added',
        );
      };
      return writer.write(context, work, replayable(context, 'addIncidentUpdate', idempotencyKey, { id, input }));
    },
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). */
    update(context: Context, { id, input, ifMatch }: MutationUpdateIncidentArgs): Promise<IncidentRow> {
      return writer.write(context, async (transaction) => {
        const before = await lock(transaction, id);
        requireVersion(ifMatch, before.version);
        const required = ['title', 'impact', 'components', 'startedAt'] as const;
        rejectInvalid(
          required.map(
            (member) =>
              input[member] === null && {
                pointer: `/${member}`,
                code: 'required',
                detail: 'This field is required and cannot be null.',
              },
          ),
        );
        const impact = input.impact ?? before.impact;
        const startedAt = input.startedAt ?? before.startedAt;
        const endsAt = input.endsAt === undefined ? before.endsAt : input.endsAt;
        const title = input.title ?? before.title;
        rejectInvalid([
          ...textViolations({ title: input.title }),
          ...violationsOf({ impact, status: before.status, startedAt, endsAt }),
        ]);
        const affected = input.components ?? before.components;
        const values = { title, impact, components: affected, startedAt, endsAt };
        return change(transaction, before, values, 'updated');
      });
    },
  };
}
