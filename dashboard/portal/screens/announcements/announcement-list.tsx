/** Announcements of the operator: titles, times and plain paragraphs. */
import { Stack, Text, Title } from '@mantine/core';
import { Timestamp } from '../../../components/timestamp.tsx';

export interface Announcement {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly publishedFrom: string;
}

export const AnnouncementList = ({ announcements }: { readonly announcements: readonly Announcement[] }) => (
  <Stack gap="lg">
    {announcements.map(({ id, title, text, publishedFrom }) => (
      <article key={id}>
        <Title order={3} fz="md">
          {title}
        </Title>
        <Text component="div" size="xs" c="dimmed">
          <Timestamp at={publishedFrom} />
        </Text>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{text}</Text>
      </article>
    ))}
  </Stack>
);
