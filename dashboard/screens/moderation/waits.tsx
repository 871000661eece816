/** What the queues of the moderators have in common. */
import { Anchor, Select, Text } from '@mantine/core';
import { useListState } from '../../parts/list-search.ts';
import { Moment } from '../../parts/moment.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';

/** The rows that a queue can show, by what the URL says; the first are shown when it says nothing. */
export type Waits<Filter> = Readonly<Record<string, { readonly label: string; readonly filter: Filter }>>;

/** What the URL chose of the rows of a queue. */
export function chosenOf<Filter>(waits: Waits<Filter>, chosen: string | undefined): Filter | null {
  const wait = Object.entries(waits).find(([name]) => name === chosen) ?? Object.entries(waits)[0];
  return wait?.[1].filter ?? null;
}

export function WaitsFilter({ waits, value }: { readonly waits: Waits<unknown>; readonly value: string | undefined }) {
  const { set } = useListState();
  const choices = Object.entries(waits).map(([name, { label }]) => ({ value: name, label }));
  return (
    <Select
      label="Which"
      data={choices}
      value={choices.find((choice) => choice.value === value)?.value ?? choices[0]?.value ?? null}
      allowDeselect={false}
      onChange={(chosen) => set({ waits: chosen === choices[0]?.value ? undefined : (chosen ?? undefined) })}
      w={{ base: '100%', xs: 280 }}
    />
  );
}

/** An address that somebody else wrote: it opens beside the dashboard and is told nothing of it. */
export const OutsideLink = ({ url }: { readonly url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" inherit maw={220} truncate display="block">
      {url}
    </Anchor>
  ) : (
    <span>{url}</span>
  );

interface VerificationProps {
  readonly status: string;
  readonly method: string | null;
  readonly at: string | null;
}

/** How far a verification is, and what was found before. */
export const Verification = ({ status, method, at }: VerificationProps) => (
  <>
    <StatusBadge status={status} />
    {(method !== null || at !== null) && (
      <Text size="xs" c="dimmed">
        {method} {at !== null && <Moment at={at} />}
      </Text>
    )}
  </>
);
