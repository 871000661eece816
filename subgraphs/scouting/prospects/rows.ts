/** The `prospect` table: row type and columns. projections/prospects.ts and projections/scores.ts write it. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Level, Sex } from '../generated/resolvers.ts';
import type { Standing } from '../talent/standings.ts';

export interface ProspectRow {
  readonly id: string;
  readonly athleteId: string;
  readonly version: number;
  readonly sport: Sport;
  readonly positions: string[];
  /** Empty if the position is unknown. */
  readonly positionGroup: string;
  readonly sex: Sex;
  readonly level: Level | null;
  readonly ageBand: string | null;
  readonly birthQuarter: number | null;
  readonly verified: boolean;
  readonly standings: Standing[];
  readonly talentScore: number;
  readonly confidence: number;
  readonly emerging: boolean;
  /** Place in the default list, highest first. */
  readonly listPlace: number;
  readonly modelVersion: string;
  readonly computedAt: string;
}

export type ProspectPage = Page<ProspectRow>;

export const prospects = table<ProspectRow>('prospect', {
  id: 'plain',
  athleteId: 'plain',
  version: 'plain',
  sport: 'plain',
  positions: 'plain',
  positionGroup: 'plain',
  sex: 'plain',
  level: 'plain',
  ageBand: 'plain',
  birthQuarter: 'plain',
  verified: 'plain',
  standings: 'jsonb',
  talentScore: 'plain',
  confidence: 'plain',
  emerging: 'plain',
  listPlace: 'plain',
  modelVersion: 'plain',
  computedAt: 'plain',
});
