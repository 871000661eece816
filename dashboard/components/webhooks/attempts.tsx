/** The attempts of a delivery, the latest one first, with the start of each request and response. */
import { Accordion, Group, Stack, Text } from '@mantine/core';
import type { WebhookDeliveryQuery } from '../../generated/graphql.ts';
import { CodeBlock } from '../code-block.tsx';
import { DescriptionList } from '../description-list.tsx';
import { enumLabel } from '../enum-label.ts';
import { formatDuration } from '../number-format.ts';
import { Section } from '../section.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { formatUtc, Timestamp } from '../timestamp.tsx';

type Attempt = NonNullable<WebhookDeliveryQuery['webhookDelivery']>['attempts'][number];

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const latestFirst = attempts.toReversed();
  return (
    <Section title="Attempts">
      <Accordion
        key={latestFirst[0]?.number}
        multiple
        keepMounted={false}
        order={3}
        variant="separated"
        defaultValue={latestFirst.slice(0, 1).map(({ number }) => `${number}`)}
      >
        {latestFirst.map((attempt) => (
          <Accordion.Item key={attempt.number} value={`${attempt.number}`}>
            <Accordion.Control>
              <Group gap="sm">
                <Text component="span" inherit fw={600}>
                  Attempt {attempt.number}
                </Text>
                <StatusBadge status={attempt.error === null ? 'SUCCEEDED' : 'FAILED'} />
                <Text component="span" size="sm" c="dimmed">
                  {formatUtc(attempt.at, true)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <AttemptDetails attempt={attempt} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}

/** What the panel displays instead of a text that is absent. */
function missingRequest({ error }: Attempt): string {
  return error === 'EVENT_UNREADABLE' || error === 'SECRET_UNREADABLE'
    ? 'No request was sent.'
    : 'Deleted, because the visibility of a resource changed.';
}

function missingResponse({ status }: Attempt): string {
  return status === null ? 'No response.' : 'Deleted, because the visibility of a resource changed.';
}

const AttemptDetails = ({ attempt }: { readonly attempt: Attempt }) => (
  <Stack>
    <DescriptionList
      items={[
        ['Time', <Timestamp key="at" at={attempt.at} seconds />],
        ['HTTP status', attempt.status ?? 'None'],
        ['Duration', formatDuration(attempt.durationMs)],
        ['Error', attempt.error && enumLabel(attempt.error)],
        ['Description of the error', attempt.detail],
      ]}
    />
    <CodeBlock label="Request body, first 1,024 bytes" text={attempt.request ?? missingRequest(attempt)} />
    <CodeBlock
      label="Response body, first 1,024 bytes"
      text={attempt.response === '' ? 'Empty.' : (attempt.response ?? missingResponse(attempt))}
    />
  </Stack>
);
