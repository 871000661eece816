/** The form fields of announcements. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { instantOf } from '../../components/instant.ts';

export interface AnnouncementValues {
  readonly title: string;
  readonly text: string;
  /** Minutes in UTC, such as `2026-11-22T05:20`; empty: now. */
  readonly publishedFrom: string;
  /** Empty: no end. */
  readonly publishedUntil: string;
}

function endError(publishedUntil: string, { publishedFrom }: AnnouncementValues): string | null {
  if (publishedUntil === '') return null;
  const start = instantOf(publishedFrom) ?? new Date().toISOString();
  return (instantOf(publishedUntil) ?? '') <= start ? 'The end must be after the start.' : null;
}

export const useAnnouncementForm = (initialValues: AnnouncementValues): UseFormReturnType<AnnouncementValues> =>
  useForm<AnnouncementValues>({ initialValues, validate: { publishedUntil: endError } });

export const AnnouncementFields = ({ form }: { readonly form: UseFormReturnType<AnnouncementValues> }) => (
  <>
    <TextInput label="Title" required maxLength={200} data-autofocus autoComplete="off" {...form.getInputProps('title')} />
    <Textarea
      label="Text"
      description="All users of the portal read it. An empty line starts a paragraph."
      required
      maxLength={5000}
      autosize
      minRows={4}
      {...form.getInputProps('text')}
    />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        type="datetime-local"
        label="Start of publication (UTC)"
        description="Default: now."
        {...form.getInputProps('publishedFrom')}
      />
      <TextInput
        type="datetime-local"
        label="End of publication (UTC)"
        description="Optional."
        {...form.getInputProps('publishedUntil')}
      />
    </SimpleGrid>
  </>
);
