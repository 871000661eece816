/** The fields of a webhook endpoint, their values, and the input of the API. */
import { MultiSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { sportNames, sports, type Sport } from '../../../schema/sports.ts';
import type { Area } from '../../generated/graphql.ts';
import { enumOptions } from '../enum-label.ts';
import { areas } from '../areas.ts';
import { feedTypes } from '../events/event-types.ts';

export interface WebhookValues {
  readonly accountId: string | null;
  readonly url: string;
  readonly description: string;
  readonly types: string[];
  readonly areas: Area[];
  readonly sports: Sport[];
  /** One ID per line. */
  readonly competitionIds: string;
  /** One ID per line. */
  readonly organizationIds: string;
}

export const emptyWebhook: WebhookValues = {
  accountId: null,
  url: '',
  description: '',
  types: [],
  areas: [],
  sports: [],
  competitionIds: '',
  organizationIds: '',
};

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');

/** The input of the API. Empty filters select all events. */
export const webhookInputOf = ({ url, description, types, competitionIds, organizationIds, ...values }: WebhookValues) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  types: [...types],
  areas: [...values.areas],
  sports: [...values.sports],
  competitionIds: linesOf(competitionIds),
  organizationIds: linesOf(organizationIds),
});

const areaOptions = enumOptions(areas);
const sportOptions = sportNames.map((sport) => ({ value: sport, label: sports[sport].title }));

export const TypesField = ({
  label,
  ...props
}: {
  readonly label: string;
  readonly value: string[];
  readonly onChange: (types: string[]) => void;
}) => (
  <MultiSelect
    label={label}
    placeholder={props.value.length === 0 ? 'All' : ''}
    data={feedTypes}
    searchable
    clearable
    clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    hidePickedOptions
    {...props}
  />
);

interface WebhookFieldsProps {
  readonly form: UseFormReturnType<WebhookValues>;
  /** Whether the dialog starts in the first field. */
  readonly autoFocus?: boolean;
}

export const WebhookFields = ({ form, autoFocus }: WebhookFieldsProps) => (
  <>
    <TextInput
      data-autofocus={autoFocus}
      label="URL"
      description="https, a public host, and the port 443 or 8443."
      type="url"
      required
      maxLength={2048}
      autoComplete="off"
      placeholder="https://example.com/webhooks"
      {...form.getInputProps('url')}
    />
    <TextInput label="Description" maxLength={500} autoComplete="off" {...form.getInputProps('description')} />
    <TypesField label="Event types" {...form.getInputProps('types')} value={form.values.types} />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        label="Areas"
        placeholder={form.values.areas.length === 0 ? 'All' : ''}
        data={areaOptions}
        {...form.getInputProps('areas')}
      />
      <MultiSelect
        label="Sports"
        placeholder={form.values.sports.length === 0 ? 'All' : ''}
        data={sportOptions}
        {...form.getInputProps('sports')}
      />
      <Textarea
        label="Competition IDs"
        description="One per line. Empty: all."
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('competitionIds')}
      />
      <Textarea
        label="Organization IDs"
        description="One per line. Empty: all."
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('organizationIds')}
      />
    </SimpleGrid>
  </>
);
