/** Takes away what the filters let through, page by page, as a file. */
import { Alert, Button, Group, Menu, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { AuditEntriesQuery, AuditFilter } from '../../generated/graphql.ts';
import { ask } from '../../graph/ask.ts';
import { Failure } from '../../graph/failure.ts';
import { Refused } from '../../parts/answered.tsx';
import { count } from '../../parts/numbers.ts';
import { auditQuery, type AuditEntry } from './audit-query.tsx';
import { csvOf, jsonOf, saveAs } from './audit-file.ts';

const entriesMax = 10_000;
const pageLength = 100;

const formats = {
  csv: { label: 'CSV', type: 'text/csv;charset=utf-8', textOf: csvOf },
  json: { label: 'JSON', type: 'application/json', textOf: jsonOf },
} as const;

type Format = keyof typeof formats;

/** Where an export is: reading, refused, or done with so many, whole or not. */
interface Progressed {
  readonly read: number;
  readonly failure?: Failure;
  readonly end?: 'WHOLE' | 'CUT';
}

async function* pages(filter: AuditFilter, signal: AbortSignal): AsyncGenerator<{ nodes: readonly AuditEntry[]; more: boolean }> {
  let after: string | null = null;
  do {
    const { auditEntries: page }: AuditEntriesQuery = await ask(auditQuery, { first: pageLength, after, filter }, { signal });
    after = page?.pageInfo.nextCursor ?? null;
    yield { nodes: page?.nodes ?? [], more: after !== null };
  } while (after !== null);
}

export function AuditExport({ filter }: { readonly filter: AuditFilter }) {
  const [progress, setProgress] = useState<Progressed | null>(null);
  const running = useRef<AbortController>(null);

  async function take(format: Format): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    const entries: AuditEntry[] = [];
    setProgress({ read: 0 });
    try {
      let more = false;
      for await (const page of pages(filter, stop.signal)) {
        entries.push(...page.nodes);
        more = page.more;
        setProgress({ read: entries.length });
        if (entries.length >= entriesMax) break;
      }
      if (stop.signal.aborted) return;
      const { type, textOf } = formats[format];
      saveAs(`audit-${new Date().toISOString().slice(0, 10)}.${format}`, type, textOf(entries));
      setProgress({ read: entries.length, end: more ? 'CUT' : 'WHOLE' });
    } catch (violation) {
      if (stop.signal.aborted) return;
      if (!(violation instanceof Failure)) throw violation;
      setProgress({ read: entries.length, failure: violation });
    }
  }

  const close = (): void => {
    running.current?.abort();
    setProgress(null);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(formats) as Format[]).map((format) => (
            <Menu.Item key={format} onClick={() => void take(format)}>
              {formats[format].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={progress !== null} onClose={close} title="Export">
        {progress !== null && <State {...progress} close={close} />}
      </Modal>
    </>
  );
}

function State({ read, failure, end, close }: Progressed & { readonly close: () => void }) {
  const reading = failure === undefined && end === undefined;
  return (
    <Stack>
      {failure !== undefined && <Refused failure={failure} />}
      {reading && <Progress value={100} animated aria-label="Reading the audit log" />}
      <Text role="status">
        {count(read)} {read === 1 ? 'entry' : 'entries'} {reading ? 'read so far' : 'read'}
        {end !== undefined && ', and saved as a file'}.
      </Text>
      {end === 'CUT' && (
        <Alert color="orange">
          One file has at most {count(entriesMax)} entries, the latest. Narrow the span to take the others.
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {reading ? 'Cancel' : 'Close'}
        </Button>
      </Group>
    </Stack>
  );
}
