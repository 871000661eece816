/** The parts of seasons that matches name, by id. */
import { owns, seesEverything } from '../../../schema/viewer.ts';
import { raw, sql } from '../../../platform/database.ts';
import type { ListServices } from '../../../platform/list.ts';
import type { Resource } from '../../../platform/resource.ts';
import { inOrder } from '../../../platform/table.ts';
import type { BatchRead } from '../../subgraph.ts';
import { contestResource, participantResource, stageResource, type SeasonPartRow } from './season-part-rows.ts';

export function createMatchParts({ database }: ListServices) {
  const byId =
    <Row extends SeasonPartRow>({ table }: Resource<Row>): BatchRead<string, Row | null> =>
    async (ids, { viewer }) => {
      const rows = await database.query<Row>(
        sql`${raw(`/* ${table.name}s.byIds */`)} select ${table.columns} from ${raw(table.name)} where id = any(${[...ids]}::uuid[])`,
      );
      const seen = rows.filter((row) => row.published || owns(viewer, row.accountId) || seesEverything(viewer));
      return inOrder(ids, seen, (row) => row.id);
    };
  return { contestById: byId(contestResource), stageById: byId(stageResource), participantById: byId(participantResource) };
}
