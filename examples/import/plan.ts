/** An import plan: collections in order, with rows that refer to others by external ID until the API returns IDs. */
import { sourceOf, type ExternalId, type Item, type Rejection, type Result, type Row, type Source } from './row.ts';

/** IDs returned by the API, by kind and external ID. */
export interface Ids {
  /** @throws {NotWritten} when the row was rejected. */
  readonly of: (kind: string, externalId: string) => string;
}

/** A row refers to another row that was not written. */
export class NotWritten extends Error {
  constructor(kind: string, externalId: string) {
    super(`${kind}: ${externalId} was not written`);
    this.name = 'NotWritten';
  }
}

export type Members = Readonly<Record<string, unknown>>;

/** A row whose references are not resolved yet. */
export interface Draft {
  readonly place: string;
  readonly label: string;
  readonly externalId: ExternalId;
  readonly members: (ids: Ids) => Members;
  /** Members that only a new resource gets: what the organizer changed later stays. */
  readonly initial?: Members;
}

/** One collection: the path of its rows, which may need the IDs of earlier steps. `kind` is its name in the report and in `Ids`. */
export interface Step {
  readonly kind: string;
  readonly collection: (ids: Ids) => string;
  readonly drafts: readonly (Draft | Rejection)[];
}

export interface Plan {
  readonly steps: readonly Step[];
  /** External IDs of the seasons to finish after everything in them is written. */
  readonly finished: readonly string[];
}

/** A step with a fixed path. */
export const step = (kind: string, collection: string, drafts: Step['drafts']): Step => ({
  kind,
  collection: () => collection,
  drafts,
});

/** A step below a season. */
export const stepOfSeason = (kind: string, season: ExternalId, part: string, drafts: Step['drafts']): Step => ({
  kind,
  collection: (ids) => `/competitions/seasons/${ids.of('seasons', season.value)}/${part}`,
  drafts,
});

/** The IDs of the rows written so far. */
export function openIds(): Ids & { readonly add: (kind: string, results: readonly Result[]) => void } {
  const known = new Map<string, string>();
  return {
    of: (kind, value) => {
      const id = known.get(`${kind} ${value}`);
      if (id === undefined) throw new NotWritten(kind, value);
      return id;
    },
    add: (kind, results) => {
      for (const { row, id } of results) if (id !== null) known.set(`${kind} ${row.item.externalIds[0].value}`, id);
    },
  };
}

function rowOf(draft: Draft, ids: Ids): Row | Rejection {
  const { place, label, externalId, members, initial = {} } = draft;
  try {
    const item: Item = { ...members(ids), externalIds: [externalId] };
    return { place, label, item, ...(Object.keys(initial).length > 0 && { initial }) };
  } catch (error) {
    if (error instanceof NotWritten) return { place, label, reasons: [error.message] };
    throw error;
  }
}

/** A step whose references can be resolved. */
export interface ReadyStep {
  readonly collection: string;
  readonly source: Source;
  /** True for a row that refers to a row that was not written. */
  readonly isTorn: boolean;
}

/** The rows of a step. A row with an unresolved reference is rejected; without its season the whole step is rejected. */
export function readyStep({ collection, drafts }: Step, ids: Ids): ReadyStep {
  const rejected = drafts.filter((draft) => 'reasons' in draft);
  try {
    const path = collection(ids);
    const rows = drafts.filter((draft) => 'members' in draft).map((draft) => rowOf(draft, ids));
    return { collection: path, source: sourceOf(rows, rejected), isTorn: rows.some((row) => 'reasons' in row) };
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    const torn = drafts
      .filter((draft) => 'members' in draft)
      .map(({ place, label }) => ({ place, label, reasons: [error.message] }));
    return { collection: '', source: { rows: [], rejected: [...rejected, ...torn] }, isTorn: true };
  }
}
