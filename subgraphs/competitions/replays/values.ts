/** Row values of replays from inputs. Rights are columns, and times are normalized to UTC as the database returns them. */
import type { UpdateReplayInput } from '../generated/resolvers.ts';
import { rowValues } from '../../runtime/row-values.ts';
import type { ReplayRow } from './rows.ts';

/** The members that creating and updating a replay have in common. */
type Facts = Pick<UpdateReplayInput, 'title' | 'kind' | 'url' | 'durationSeconds' | 'language' | 'rights'>;

/** The columns of the rights. Null deletes all of them, absent members stay. */
function rightsValues(rights: Facts['rights']): Partial<ReplayRow> {
  if (rights === undefined) return {};
  const { holder, territories, expiresAt } = rights ?? { holder: null, territories: null, expiresAt: null };
  return rowValues<ReplayRow>({
    rightsHolder: holder,
    territories: territories === undefined ? undefined : [...new Set(territories ?? [])],
    expiresAt: expiresAt && new Date(expiresAt).toISOString(),
  });
}

/** The row values of an input. */
export function replayValues({ title, kind, url, durationSeconds, language, rights }: Facts): Partial<ReplayRow> {
  return { ...rowValues<ReplayRow>({ title, kind, url, durationSeconds, language }), ...rightsValues(rights) };
}
