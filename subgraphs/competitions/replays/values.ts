/** Members of a replay as they are stored: rights are columns, and instants are as the database tells them. */
import type { CreateReplayInput, UpdateReplayInput } from '../resolvers.generated.ts';
import type { ReplayRow } from './rows.ts';

type Facts = Omit<UpdateReplayInput, 'externalIds'>;

/** The columns of rights, of a merge patch: null deletes all of them, absent members stay. */
function rightsOf(rights: Facts['rights']): Partial<ReplayRow> {
  if (rights === undefined) return {};
  const { holder, territories, expiresAt } = rights ?? { holder: null, territories: null, expiresAt: null };
  return {
    ...(holder === undefined ? {} : { rightsHolder: holder }),
    ...(territories === undefined ? {} : { territories: [...new Set(territories ?? [])] }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt && new Date(expiresAt).toISOString() }),
  };
}

/** Row values of a patch, or of what a create says of these members. */
export function replayValues({ title, kind, url, durationSeconds, language, rights }: Facts): Partial<ReplayRow> {
  const plain = { title, kind, url, durationSeconds, language };
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return { ...(given as Partial<ReplayRow>), ...rightsOf(rights) };
}

/** The facts of a create that a patch may change. */
export function factsOf({ title, kind, url, durationSeconds, language, rights }: CreateReplayInput): Facts {
  const given = { title, kind, url, durationSeconds, language, rights };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
