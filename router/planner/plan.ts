/** The plan of an operation: which areas to query, in which order, and what each fetch needs from earlier ones. */

/**
 * A step of a path in the data: a response key, `@` for every item of a list, or the names of types of which an object must have one.
 * An object without a known type passes.
 */
export type PlanPathStep = string | { readonly types: readonly string[] };

export type PlanPath = readonly PlanPathStep[];

/** A part of a representation: the value under `key` of the data is sent as `name`. */
export interface RequiredField {
  readonly kind: 'Field';
  readonly key: string;
  readonly name: string;
  /** Null for a leaf. */
  readonly selections: readonly RequiredSelection[] | null;
}

/** Parts of the representations of one type. */
export interface RequiredFragment {
  readonly kind: 'Fragment';
  readonly type: string;
  readonly selections: readonly RequiredSelection[];
}

export type RequiredSelection = RequiredField | RequiredFragment;

/** A change of a value at the end of a path, through every list: of representations before they are sent, or of responses. */
export type Rewrite =
  | { readonly kind: 'SetValue'; readonly path: PlanPath; readonly value: unknown }
  | { readonly kind: 'RenameKey'; readonly path: PlanPath; readonly name: string };

/** The entities of a fetch: what represents them. */
export interface RequiredEntities {
  readonly selections: readonly RequiredSelection[];
  readonly rewrites: readonly Rewrite[];
}

/** One query to an area. */
export interface PlannedFetch {
  readonly kind: 'Fetch';
  readonly area: string;
  /** The text. A fetch of entities selects one root field, `_entities(representations: $representations)`. */
  readonly text: string;
  readonly operationName: string | null;
  /** The client's variables in the text. */
  readonly variables: readonly string[];
  /** Null for root fields. */
  readonly entities: RequiredEntities | null;
  /** Where the entities are in the data, or which objects receive the root fields: `[[]]` for the response itself. */
  readonly paths: readonly PlanPath[];
  /** Changes of the response. */
  readonly rewrites: readonly Rewrite[];
}

export type PlanNode =
  | PlannedFetch
  | { readonly kind: 'Sequence'; readonly nodes: readonly PlanNode[] }
  | { readonly kind: 'Parallel'; readonly nodes: readonly PlanNode[] };

/** The plan of an operation for one set of conditions. */
export interface Plan {
  /** Null when no area is queried. */
  readonly node: PlanNode | null;
}
