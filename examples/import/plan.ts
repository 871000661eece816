/** A plan: the collections of an import in their order, with rows that name others by external id until the API has given ids. */
import { sourceOf, type ExternalId, type Item, type Rejection, type Result, type Row, type Source } from './row.ts';

/** The ids the API gave, by kind and external id. */
export interface Ids {
  /** @throws {NotWritten} when the row that is meant was rejected. */
  readonly of: (kind: string, externalId: string) => string;
}

/** A row that waits for another one which was not written. */
export class NotWritten extends Error {
  constructor(kind: string, externalId: string) {
    super(`${kind}: ${externalId} was not written`);
    this.name = 'NotWritten';
  }
}

export type Members = Readonly<Record<string, unknown>>;

/** A row before the ids that it names are known. */
export interface Draft {
  readonly place: string;
  readonly label: string;
  readonly externalId: ExternalId;
  readonly members: (ids: Ids) => Members;
}

/** One collection: where its rows go once the ids of those before are known. `kind` is its name in the report and in `Ids`. */
export interface Step {
  readonly kind: string;
  readonly collection: (ids: Ids) => string;
  readonly drafts: readonly (Draft | Rejection)[];
}

export interface Plan {
  readonly steps: readonly Step[];
  /** External ids of seasons that are over once everything in them is written. */
  readonly finished: readonly string[];
}

/** A step whose collection is known beforehand. */
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

/** Ids that grow with what is written. */
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
  const { place, label, externalId, members } = draft;
  try {
    const item: Item = { ...members(ids), externalIds: [externalId] };
    return { place, label, item };
  } catch (fault) {
    if (fault instanceof NotWritten) return { place, label, reasons: [fault.message] };
    throw fault;
  }
}

/** A step whose ids are known as far as they ever will be. */
export interface ReadyStep {
  readonly collection: string;
  readonly source: Source;
  /** Whether a row names another one that was not written. */
  readonly isTorn: boolean;
}

/** The rows of a step; those that name a row which was not written are rejected, all of them where their season was not. */
export function readyStep({ collection, drafts }: Step, ids: Ids): ReadyStep {
  const rejected = drafts.filter((draft) => 'reasons' in draft);
  try {
    const path = collection(ids);
    const rows = drafts.filter((draft) => 'members' in draft).map((draft) => rowOf(draft, ids));
    return { collection: path, source: sourceOf(rows, rejected), isTorn: rows.some((row) => 'reasons' in row) };
  } catch (fault) {
    if (!(fault instanceof NotWritten)) throw fault;
    const torn = drafts
      .filter((draft) => 'members' in draft)
      .map(({ place, label }) => ({ place, label, reasons: [fault.message] }));
    return { collection: '', source: { rows: [], rejected: [...rejected, ...torn] }, isTorn: true };
  }
}
