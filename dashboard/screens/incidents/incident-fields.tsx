/** The form fields of incidents. */
import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { components, type ComponentName } from '../../../schema/components.ts';
import { isOneOf, keysOf } from '../../../schema/records.ts';
import { enumOptions } from '../../components/enum-label.ts';
import { instantOf } from '../../components/instant.ts';
import type { IncidentImpact, IncidentStatus } from '../../generated/graphql.ts';

const names = keysOf(components);

const impacts = ['DEGRADED', 'OUTAGE', 'MAINTENANCE'] as const satisfies readonly IncidentImpact[];

export const componentTitles = (affected: readonly ComponentName[]): string =>
  affected.map((name) => components[name].title).join(', ');

/** The statuses that an incident or maintenance can have. */
export const statusesOf = (impact: IncidentImpact): readonly IncidentStatus[] =>
  impact === 'MAINTENANCE' ? ['SCHEDULED', 'IN_PROGRESS', 'RESOLVED'] : ['INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED'];

export interface IncidentValues {
  readonly title: string;
  readonly impact: IncidentImpact;
  readonly components: string[];
  /** Minutes in UTC, such as `2026-11-22T05:20`; empty: none. */
  readonly startedAt: string;
  readonly endsAt: string;
}

export const emptyIncident: IncidentValues = { title: '', impact: 'DEGRADED', components: [], startedAt: '', endsAt: '' };

const isComponent = (value: string): value is ComponentName => isOneOf(names, value);

export const incidentInputOf = ({ title, impact, components: affected, startedAt, endsAt }: IncidentValues) => ({
  title,
  impact,
  components: affected.filter(isComponent),
  ...(startedAt !== '' && { startedAt: instantOf(startedAt) }),
  endsAt: impact === 'MAINTENANCE' ? instantOf(endsAt) : null,
});

export const IncidentFields = ({ form }: { readonly form: UseFormReturnType<IncidentValues> }) => (
  <>
    <TextInput label="Title" required maxLength={200} data-autofocus autoComplete="off" {...form.getInputProps('title')} />
    <Select label="Impact" required allowDeselect={false} data={enumOptions(impacts)} {...form.getInputProps('impact')} />
    <MultiSelect
      label="Components"
      required
      searchable
      data={names.map((value) => ({ value, label: components[value].title }))}
      {...form.getInputProps('components')}
    />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput type="datetime-local" label="Start (UTC)" description="Default: now." {...form.getInputProps('startedAt')} />
      {form.values.impact === 'MAINTENANCE' && (
        <TextInput
          type="datetime-local"
          label="Planned end (UTC)"
          description="Components are in maintenance until then."
          required
          {...form.getInputProps('endsAt')}
        />
      )}
    </SimpleGrid>
  </>
);
