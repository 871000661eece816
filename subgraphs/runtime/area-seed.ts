/** What an area's share of the demo data is: pure functions from the world to rows of its own tables. */
import type { BulkRow } from '../../platform/database/bulk-load.ts';
import { demoScheme, type DemoAthlete, type DemoSquad, type DemoData } from '../../schema/demo.ts';

export type AddRow = (table: string, row: BulkRow) => void;

export interface AreaSeed {
  /** The tables it fills, in the order of their references. */
  readonly tables: readonly string[];
  /** Rows that belong to no squad; they come first. */
  readonly demo?: (demo: DemoData, add: AddRow) => void;
  /** Rows of a squad; squads come in their order. */
  readonly squad?: (squad: DemoSquad, demo: DemoData, add: AddRow) => void;
}

/** Adds the DEMO id of a resource, such as `DEMO:athlete-17`. */
export function addExternalId(add: AddRow, demo: DemoData, resourceType: string, resourceId: string, value: string): void {
  add('external_id', { resourceType, accountId: demo.account.id, scheme: demoScheme, value, resourceId });
}

/** Whether everybody may see the athlete: projections of the athletes area hold these only. */
export function isShown({ status, visibility, age }: DemoAthlete): boolean {
  return status === 'ACTIVE' && visibility === 'PUBLIC' && age >= 18;
}

/** What a moderator found, as the areas store it. */
export function verification(verified: boolean, at: string): string {
  return JSON.stringify(
    verified ? { status: 'VERIFIED', method: 'Demo data', at } : { status: 'UNVERIFIED', method: null, at: null },
  );
}
