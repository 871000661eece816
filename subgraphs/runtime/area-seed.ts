/** An area's part of the demo data: pure functions from the shared demo data to rows of the area's tables. */
import type { BulkRow } from '../../platform/database/bulk-load.ts';
import { demoScheme, type DemoAthlete, type DemoSquad, type DemoData } from '../../schema/demo.ts';

export type AddRow = (table: string, row: BulkRow) => void;

export interface AreaSeed {
  /** The tables it fills; referenced tables first. */
  readonly tables: readonly string[];
  /** Adds rows that belong to no squad; called first. */
  readonly demo?: (demo: DemoData, add: AddRow) => void;
  /** Adds rows of a squad; called for each squad in order. */
  readonly squad?: (squad: DemoSquad, demo: DemoData, add: AddRow) => void;
}

/** Adds the external id of a demo resource, such as `DEMO:athlete-17`. */
export function addExternalId(add: AddRow, demo: DemoData, resourceType: string, resourceId: string, value: string): void {
  add('external_id', { resourceType, accountId: demo.account.id, scheme: demoScheme, value, resourceId });
}

/** Whether an athlete is visible to everyone: projections of the athletes area contain only these. */
export function isShown({ status, visibility, age }: DemoAthlete): boolean {
  return status === 'ACTIVE' && visibility === 'PUBLIC' && age >= 18;
}

/** The verification of a demo resource, as areas store it. */
export function verification(verified: boolean, at: string): string {
  return JSON.stringify(
    verified ? { status: 'VERIFIED', method: 'Demo data', at } : { status: 'UNVERIFIED', method: null, at: null },
  );
}
