/** The facts and texts that both kinds of requests have. */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { AccountLink } from '../../components/links.tsx';
import { Section } from '../../components/section.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

interface RequestDetailsProps {
  readonly request: {
    readonly id: string;
    readonly createdAt: string;
    readonly note: string | null;
    readonly reason: string | null;
    readonly decidedAt: string | null;
    readonly requestedBy: string;
    readonly decidedBy: { readonly name: string } | null;
    readonly account: { readonly id: string; readonly name: string };
  };
  /** What is requested. */
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}

export const RequestDetails = ({ request, items }: RequestDetailsProps) => (
  <Stack gap="lg">
    <Section title="Details">
      <DescriptionList
        items={[
          ['Account', <AccountLink key="account" {...request.account} />],
          ...items,
          ['Requested by', request.requestedBy],
          ['Created', <Timestamp key="created" at={request.createdAt} />],
          ['Decided', request.decidedAt && <Timestamp key="decided" at={request.decidedAt} />],
          ['Decided by', request.decidedBy?.name],
          ['Request ID', <CopyableId key="id" label="request ID" id={request.id} />],
        ]}
      />
    </Section>
    {request.note !== null && <Paragraphs title="Note of the account" text={request.note} />}
    {request.reason !== null && <Paragraphs title="Reason of the decision" text={request.reason} />}
  </Stack>
);

const Paragraphs = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <Section title={title}>
    <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
  </Section>
);
