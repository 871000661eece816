/** Writes of announcements by administrators. */
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { MutationCreateAnnouncementArgs, MutationUpdateAnnouncementArgs } from '../generated/resolvers.ts';
import type { AnnouncementReads } from './reads.ts';
import { announcementRows as rows, type AnnouncementRow } from './rows.ts';

type Content = Pick<AnnouncementRow, 'title' | 'text' | 'publishedFrom' | 'publishedUntil'>;

/** Control characters other than line breaks and tabs. */
// eslint-disable-next-line no-control-regex -- a text must not contain them
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/;

function violationsOf({ title, text, publishedFrom, publishedUntil }: Content): Violation[] {
  const violation = (pointer: string, code: string, detail: string): Violation => ({ pointer, code, detail });
  return [
    ...(title === '' ? [violation('/title', 'required', 'The title must not be blank.')] : []),
    ...(text === '' ? [violation('/text', 'required', 'The text must not be blank.')] : []),
    ...(control.test(title + text) ? [violation('/text', 'invalid', 'The text must not contain control characters.')] : []),
    ...(publishedUntil !== null && Date.parse(publishedUntil) <= Date.parse(publishedFrom)
      ? [violation('/publishedUntil', 'before_start', '`publishedUntil` must be after `publishedFrom`.')]
      : []),
  ];
}

const instant = (text: string): string => new Date(text).toISOString();

/** Writes of announcements over the area's database. */
export function createAnnouncementWrites({ writer }: AreaServices, reads: AnnouncementReads) {
  return {
    /** Throws Problem validation_failed (422). */
    create(context: Context, { input, idempotencyKey }: MutationCreateAnnouncementArgs): Promise<AnnouncementRow> {
      const values = {
        title: input.title.trim(),
        text: input.text.replaceAll('\r\n', '\n').trim(),
        publishedFrom: instant(input.publishedFrom ?? new Date().toISOString()),
        publishedUntil: input.publishedUntil ? instant(input.publishedUntil) : null,
      };
      rejectInvalid(violationsOf(values));
      return writer.write(
        context,
        (transaction) => rows.insert(transaction, values, { action: 'created' }),
        replaysOf(reads.byId)(context, 'createAnnouncement', idempotencyKey, input),
      );
    },
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). */
    update(context: Context, { id, input, ifMatch }: MutationUpdateAnnouncementArgs): Promise<AnnouncementRow> {
      return writer.write(context, async (transaction) => {
        const before = await rows.lock(transaction, id);
        requireVersion(ifMatch, before.version);
        const { title, text, publishedFrom, publishedUntil } = input;
        const values = {
          title: title === undefined ? before.title : (title ?? '').trim(),
          text: text === undefined ? before.text : (text ?? '').replaceAll('\r\n', '\n').trim(),
          publishedFrom: publishedFrom ? instant(publishedFrom) : before.publishedFrom,
          publishedUntil: publishedUntil === undefined ? before.publishedUntil : publishedUntil && instant(publishedUntil),
        };
        rejectInvalid(violationsOf(values));
        return rows.change(transaction, before, values, { action: 'updated' });
      });
    },
    /** Throws Problem not_found (404). */
    remove(context: Context, id: string): Promise<AnnouncementRow> {
      return writer.write(context, async (transaction) => rows.remove(transaction, await rows.lock(transaction, id)));
    },
  };
}
