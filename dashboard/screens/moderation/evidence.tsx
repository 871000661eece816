/** Evidence on the page of an organization or athlete: links, requests for a verification, reports and IDs in other systems. */
import { List, Stack, Text } from '@mantine/core';
import { enumLabel } from '../../components/enum-label.ts';
import { ExternalLink } from '../../components/external-link.tsx';
import { AccountLink, VerificationRequestLink } from '../../components/links.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

interface EvidenceLink {
  readonly label: string;
  readonly url: string | null | undefined;
}

/** Links that the owner entered. The platform does not check them. */
export function LinksSection({ links }: { readonly links: readonly EvidenceLink[] }) {
  const present = links.flatMap(({ label, url }) => (url ? [{ label, url }] : []));
  return (
    <Section title="Links">
      {present.length === 0 ? (
        <Text c="dimmed">The owner entered no links.</Text>
      ) : (
        <List listStyleType="none" spacing="xs">
          {present.map(({ label, url }) => (
            <List.Item key={`${label} ${url}`}>
              <Text component="div" size="xs" c="dimmed">
                {label}
              </Text>
              <ExternalLink url={url} isComplete />
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

interface Request {
  readonly id: string;
  readonly createdAt: string;
  readonly status: string;
  readonly note: string | null;
  readonly links: readonly string[];
  readonly reason: string | null;
  readonly requestedBy: string;
  readonly account: { readonly id: string; readonly name: string };
}

/** Requests of the account for a verification, with the links to their documents. */
export const VerificationRequests = ({ requests }: { readonly requests: readonly Request[] }) => (
  <Section title="Requests for verification">
    {requests.length === 0 && <Text c="dimmed">No requests.</Text>}
    {requests.map(({ id, createdAt, status, note, links, reason, requestedBy, account }) => (
      <Stack key={id} gap={4}>
        <Text component="div" inherit>
          <StatusBadge status={status} /> <Timestamp at={createdAt} /> by {requestedBy}, <AccountLink {...account} />
          {status === 'OPEN' && (
            <>
              , <VerificationRequestLink id={id} name="decide the request" />
            </>
          )}
        </Text>
        {note !== null && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{note}</Text>}
        {links.map((url) => (
          <ExternalLink key={url} url={url} isComplete />
        ))}
        {reason !== null && <Text c="dimmed">Reason of the decision: {reason}</Text>}
      </Stack>
    ))}
  </Section>
);

interface Report {
  readonly id: string;
  readonly createdAt: string;
  readonly category: string;
  readonly status: string;
  readonly text: string;
  readonly note: string | null;
}

/** Reports about the resource, newest first. */
export const ReportsSection = ({ reports }: { readonly reports: readonly Report[] }) => (
  <Section title="Reports">
    {reports.length === 0 && <Text c="dimmed">No reports.</Text>}
    {reports.map(({ id, createdAt, category, status, text, note }) => (
      <Stack key={id} gap={4}>
        <Text component="div" inherit>
          <StatusBadge status={status} /> {enumLabel(category)}, <Timestamp at={createdAt} />
        </Text>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
        {note !== null && <Text c="dimmed">Note: {note}</Text>}
      </Stack>
    ))}
  </Section>
);

interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/** `WIKIDATA: Q1, UEFA: 7`; null without IDs. */
export const externalIdsText = (ids: readonly ExternalId[]): string | null =>
  ids.length === 0 ? null : ids.map(({ scheme, value }) => `${scheme}: ${value}`).join(', ');
