/** The table of announcements and its rows. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import { createRecordedRows } from '../recorded-rows.ts';

export interface AnnouncementRow extends Snapshot {
  readonly accountId: null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly title: string;
  readonly text: string;
  readonly publishedFrom: string;
  readonly publishedUntil: string | null;
}

export type AnnouncementPage = Page<AnnouncementRow>;

export const announcements = table<AnnouncementRow>('announcement', {
  id: 'plain',
  accountId: sql`null`,
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  title: 'plain',
  text: 'plain',
  publishedFrom: 'plain',
  publishedUntil: 'plain',
});

export const announcementRows = createRecordedRows(announcements, 'announcement');
