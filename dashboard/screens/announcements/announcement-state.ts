/** The state of an announcement, which its times of publication decide. */

interface Publication {
  readonly publishedFrom: string;
  readonly publishedUntil: string | null;
}

export type AnnouncementState = 'SCHEDULED' | 'PUBLISHED' | 'ENDED';

export function announcementState({ publishedFrom, publishedUntil }: Publication, now = Date.now()): AnnouncementState {
  if (publishedUntil !== null && Date.parse(publishedUntil) <= now) return 'ENDED';
  return Date.parse(publishedFrom) > now ? 'SCHEDULED' : 'PUBLISHED';
}
