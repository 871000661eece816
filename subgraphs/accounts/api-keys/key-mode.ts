/** The mode of keys in statements. Test keys are in no plan decision, statement or count of live webhooks. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { keyPrefixes, type DataMode } from '../../../platform/security/api-key.ts';

/** Whether a public ID is of a key with a mode; null for no public ID. */
export const isOfMode = (publicId: Sql, mode: DataMode): Sql => sql`starts_with(${publicId}, ${keyPrefixes[mode]})`;
