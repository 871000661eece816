/** Exports a filtered list as a file. Reads it page by page, at most 10,000 rows. */
import { Alert, Button, Group, Menu, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { RequestError } from '../graph/request-error.ts';
import { datedFileName, downloadFile } from './csv.ts';
import { formatCount } from './number-format.ts';
import { ErrorAlert } from './query-result.tsx';

const rowsMax = 10_000;

export interface ExportPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly nextCursor: string | null };
}

interface Format<Row> {
  /** The extension of the file. */
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly textOf: (rows: readonly Row[]) => string;
}

interface ListExportProps<Row> {
  /** "Export audit log" */
  readonly title: string;
  /** The start of the file name. */
  readonly fileName: string;
  /** What a row is: "entry". */
  readonly one: string;
  readonly many: string;
  /** How to export the other rows of a longer list. */
  readonly advice: string;
  /** With one format, the button starts the export. */
  readonly formats: readonly [Format<Row>, ...Format<Row>[]];
  readonly readPage: (after: string | null, signal: AbortSignal) => Promise<ExportPage<Row> | null>;
}

interface ExportState {
  /** Rows read so far. */
  readonly rowCount: number;
  readonly error?: RequestError;
  /** Set after the download: whether the file has all rows, or only the first 10,000. */
  readonly result?: 'COMPLETE' | 'TRUNCATED';
}

export function ListExport<Row>(props: ListExportProps<Row>) {
  const { title, fileName, formats, readPage } = props;
  const [state, setState] = useState<ExportState | null>(null);
  const running = useRef<AbortController>(null);

  async function startExport({ name, type, textOf }: Format<Row>): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    const rows: Row[] = [];
    setState({ rowCount: 0 });
    try {
      let after: string | null = null;
      do {
        const page: ExportPage<Row> | null = await readPage(after, abort.signal);
        rows.push(...(page?.nodes ?? []));
        after = page?.pageInfo.nextCursor ?? null;
        if (abort.signal.aborted) return;
        setState({ rowCount: rows.length });
      } while (after !== null && rows.length < rowsMax);
      downloadFile(datedFileName(fileName, name), type, textOf(rows));
      setState({ rowCount: rows.length, result: after === null ? 'COMPLETE' : 'TRUNCATED' });
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!(error instanceof RequestError)) throw error;
      setState({ rowCount: rows.length, error });
    }
  }

  const close = (): void => {
    running.current?.abort();
    setState(null);
  };
  return (
    <>
      <ExportButton formats={formats} start={(format) => void startExport(format)} />
      <Modal opened={state !== null} onClose={close} title={title}>
        {state !== null && <ExportProgress {...props} {...state} close={close} />}
      </Modal>
    </>
  );
}

interface ExportButtonProps<Row> {
  readonly formats: ListExportProps<Row>['formats'];
  readonly start: (format: Format<Row>) => void;
}

function ExportButton<Row>({ formats, start }: ExportButtonProps<Row>) {
  const icon = <IconDownload size={16} aria-hidden />;
  const [first, ...others] = formats;
  if (others.length === 0)
    return (
      <Button variant="default" leftSection={icon} onClick={() => start(first)}>
        Export {first.label}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={icon}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format.name} onClick={() => start(format)}>
            {format.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type ExportProgressProps = Pick<ListExportProps<never>, 'title' | 'one' | 'many' | 'advice'> &
  ExportState & { readonly close: () => void };

function ExportProgress({ title, one, many, advice, rowCount, error, result, close }: ExportProgressProps) {
  const isRunning = error === undefined && result === undefined;
  const rows = `${formatCount(rowCount)} ${rowCount === 1 ? one : many}`;
  return (
    <Stack>
      {error !== undefined && <ErrorAlert error={error} />}
      {isRunning && <Progress value={100} animated aria-label={title} />}
      <Text role="status">{result === undefined ? `${rows} read.` : `${rows} exported.`}</Text>
      {result === 'TRUNCATED' && (
        <Alert color="orange">
          An export contains the first {formatCount(rowCount)} matching {many}. {advice}
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
