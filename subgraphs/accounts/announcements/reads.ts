/** Reads of announcements. The callers authorize the viewer. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy, type PageArguments, type Sort } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { announcements, type AnnouncementPage, type AnnouncementRow } from './rows.ts';

/** Reads of announcements over the area's database. */
export function createAnnouncementReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, AnnouncementRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<AnnouncementRow>(
        sql`/* announcements.byIds */ select ${announcements.columns} from announcement where id = any(${[...ids]}::uuid[])`,
      ),
      (row) => row.id,
    );

  const list = (name: string, where: Sql[], sort: Sort<AnnouncementRow>, page: PageArguments): Promise<AnnouncementPage> => {
    const columns = { columns: announcements.columns, from: sql`announcement`, id: sql`announcement.id` };
    return readPage(database, cursors, { name, ...columns, where, sort, filter: null }, page);
  };
  const isPublished = sql`announcement.published_from <= now() and (announcement.published_until is null or announcement.published_until > now())`;

  return {
    byId,
    /** Published announcements, latest publication first. */
    published: (page: PageArguments): Promise<AnnouncementPage> =>
      list('announcements.published', [isPublished], sortBy(announcements, 'publishedFrom', 'timestamptz', 'desc'), page),
    /** All announcements, newest first. */
    all: (page: PageArguments): Promise<AnnouncementPage> =>
      list('announcements.all', [], sortBy(announcements, 'createdAt', 'timestamptz', 'desc'), page),
  };
}

export type AnnouncementReads = ReturnType<typeof createAnnouncementReads>;
