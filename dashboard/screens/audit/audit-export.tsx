/** Exports the filtered audit log as a CSV or JSON file. Reads it page by page. */
import { Alert, Button, Group, Menu, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatCount } from '../../components/number-format.ts';
import { ErrorAlert } from '../../components/query-result.tsx';
import type { AuditEntriesQuery, AuditEntriesQueryVariables, AuditFilter } from '../../generated/graphql.ts';
import { runOperation } from '../../graph/operations.ts';
import { RequestError } from '../../graph/request-error.ts';
import { csvOf, downloadFile, jsonOf } from './audit-file.ts';
import { auditQuery, type AuditEntry } from './audit-query.ts';

const entriesMax = 10_000;
const pageLength = 100;

const formats = [
  { name: 'csv', label: 'CSV', type: 'text/csv;charset=utf-8', textOf: csvOf },
  { name: 'json', label: 'JSON', type: 'application/json', textOf: jsonOf },
] as const;

type Format = (typeof formats)[number];

interface ExportState {
  /** Entries read so far. */
  readonly entryCount: number;
  readonly error?: RequestError;
  /** Set after the download: whether the file has all entries, or only the first 10,000. */
  readonly result?: 'COMPLETE' | 'TRUNCATED';
}

interface Page {
  readonly nodes: readonly AuditEntry[];
  readonly hasMore: boolean;
}

async function* readPages(filter: AuditFilter, signal: AbortSignal): AsyncGenerator<Page> {
  let after: string | null = null;
  do {
    const variables: AuditEntriesQueryVariables = { first: pageLength, after, filter };
    const { auditEntries: page }: AuditEntriesQuery = await runOperation(auditQuery, variables, { signal });
    after = page?.pageInfo.nextCursor ?? null;
    yield { nodes: page?.nodes ?? [], hasMore: after !== null };
  } while (after !== null);
}

export function AuditExport({ filter }: { readonly filter: AuditFilter }) {
  const [state, setState] = useState<ExportState | null>(null);
  const running = useRef<AbortController>(null);

  async function startExport({ name, type, textOf }: Format): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    const entries: AuditEntry[] = [];
    setState({ entryCount: 0 });
    try {
      let isTruncated = false;
      for await (const { nodes, hasMore } of readPages(filter, abort.signal)) {
        entries.push(...nodes);
        isTruncated = hasMore;
        setState({ entryCount: entries.length });
        if (entries.length >= entriesMax) break;
      }
      if (abort.signal.aborted) return;
      downloadFile(`audit-${new Date().toISOString().slice(0, 10)}.${name}`, type, textOf(entries));
      setState({ entryCount: entries.length, result: isTruncated ? 'TRUNCATED' : 'COMPLETE' });
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!(error instanceof RequestError)) throw error;
      setState({ entryCount: entries.length, error });
    }
  }

  const close = (): void => {
    running.current?.abort();
    setState(null);
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
          {formats.map((format) => (
            <Menu.Item key={format.name} onClick={() => void startExport(format)}>
              {format.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={state !== null} onClose={close} title="Export audit log">
        {state !== null && <ExportProgress {...state} close={close} />}
      </Modal>
    </>
  );
}

function ExportProgress({ entryCount, error, result, close }: ExportState & { readonly close: () => void }) {
  const isRunning = error === undefined && result === undefined;
  const entries = `${formatCount(entryCount)} ${entryCount === 1 ? 'entry' : 'entries'}`;
  return (
    <Stack>
      {error !== undefined && <ErrorAlert error={error} />}
      {isRunning && <Progress value={100} animated aria-label="Exporting the audit log" />}
      <Text role="status">{result === undefined ? `${entries} read.` : `${entries} exported.`}</Text>
      {result === 'TRUNCATED' && (
        <Alert color="orange">
          An export contains the latest {formatCount(entriesMax)} matching entries. To export older entries, filter by date.
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {isRunning ? 'Cancel' : 'Close'}
        </Button>
      </Group>
    </Stack>
  );
}
