/** Runs an action on the selected rows of a list, after one confirmation, with the result of each row. */
import { Alert, Button, Group, List, Modal, Progress, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Document } from '../graph/graphql.ts';
import { runOperation } from '../graph/operations.ts';
import { RequestError } from '../graph/request-error.ts';
import { ConfirmationField, isNameConfirmed } from './confirm-dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { type RowSelection, selectionMax } from './row-selection.tsx';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface BulkAction<Row> {
  /** The verb of the button: "Revoke". */
  readonly verb: string;
  /** For the result of a row: "revoked". */
  readonly pastTense: string;
  readonly document: Document<unknown, { id: string; reason?: string | null }>;
  /** What happens: "Requests with these keys fail within one second." */
  readonly impact: string;
  /** Why a row is skipped; null for rows that the action changes. */
  readonly skipReason: (row: Row) => string | null;
  /** Details of a row in the dialog: the public ID of a key. */
  readonly detailsOf: (row: Row) => string;
}

interface BulkBarProps<Row> {
  readonly selection: RowSelection<Row>;
  /** What is selected: "API keys". */
  readonly many: string;
  readonly actions: readonly BulkAction<Row>[];
}

/** The number of selected rows with the actions; nothing without a selection. */
export function BulkBar<Row extends Named>({ selection: { rows, clear }, many, actions }: BulkBarProps<Row>) {
  const [action, setAction] = useState<BulkAction<Row> | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [hasRun, setHasRun] = useState(false);
  const close = (): void => {
    setAction(null);
    if (!hasRun) return;
    // the selected rows have changed, and their buttons disappear
    setHasRun(false);
    clear();
    document.querySelector<HTMLElement>('#screen h1')?.focus();
  };
  if (rows.length === 0) return null;
  return (
    <Group role="group" aria-label="Selection" gap="xs" mb="sm">
      <Text role="status" fw={500}>
        {rows.length} selected{rows.length === selectionMax && ', the maximum'}
      </Text>
      {actions.map((each) => (
        <Button key={each.verb} size="xs" variant="default" onClick={() => setAction(each)}>
          {each.verb}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={clear}>
        Clear selection
      </Button>
      <Modal
        opened={action !== null}
        onClose={close}
        title={action && `${action.verb} ${many}`}
        size="lg"
        withCloseButton={!isRunning}
        closeOnEscape={!isRunning}
        closeOnClickOutside={false}
      >
        {action !== null && (
          <BulkDialog
            action={action}
            rows={rows}
            close={close}
            setRunning={(isNowRunning) => {
              setRunning(isNowRunning);
              setHasRun(true);
            }}
          />
        )}
      </Modal>
    </Group>
  );
}

interface BulkDialogProps<Row> {
  readonly action: BulkAction<Row>;
  readonly rows: readonly Row[];
  readonly close: () => void;
  readonly setRunning: (isRunning: boolean) => void;
}

/** The result by row ID: null for success, otherwise the message of the error. */
type Results = ReadonlyMap<string, string | null>;

/** Runs the action row by row, so that an error does not affect the other rows. */
function useBulkRun<Row extends Named>({ document }: BulkAction<Row>, setRunning: (isRunning: boolean) => void) {
  const client = useQueryClient();
  const isStopped = useRef(false);
  const [results, setResults] = useState<Results | null>(null);
  async function run(rows: readonly Row[], reason: string | null): Promise<void> {
    setRunning(true);
    const done = new Map<string, string | null>();
    setResults(new Map());
    for (const { id } of rows) {
      if (isStopped.current) break;
      try {
        await runOperation(document, { id, reason });
        done.set(id, null);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        done.set(id, error.message);
      }
      setResults(new Map(done));
    }
    setRunning(false);
    void client.invalidateQueries();
  }
  return { results, run, stop: () => (isStopped.current = true) };
}

function BulkDialog<Row extends Named>({ action, rows, close, setRunning }: BulkDialogProps<Row>) {
  const { verb, skipReason } = action;
  // the list below the dialog changes during the run
  const [affected] = useState(rows.filter((row) => skipReason(row) === null));
  const { results, run, stop } = useBulkRun(action, setRunning);
  const [isStopped, setStopped] = useState(false);
  if (results === null)
    return (
      <BulkConfirmation
        action={action}
        rows={rows}
        affected={affected}
        close={close}
        run={(reason) => void run(affected, reason)}
      />
    );
  const isDone = isStopped || results.size === affected.length;
  const failures = [...results.values()].filter((message) => message !== null).length;
  return (
    <Stack>
      <Progress value={(100 * results.size) / affected.length} aria-label={`${verb}: progress`} />
      <Text role="status">
        {results.size} of {affected.length} done{failures > 0 && `, ${failures} failed`}.
      </Text>
      <RowList action={action} rows={affected} results={results} />
      <Group justify="flex-end">
        {isDone ? (
          <Button data-autofocus onClick={close}>
            Close
          </Button>
        ) : (
          <Button
            variant="default"
            onClick={() => {
              stop();
              setStopped(true);
            }}
          >
            Stop
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface BulkConfirmationProps<Row> extends Pick<BulkDialogProps<Row>, 'action' | 'rows' | 'close'> {
  readonly affected: readonly Row[];
  readonly run: (reason: string | null) => void;
}

function BulkConfirmation<Row extends Named>({ action, rows, affected, close, run }: BulkConfirmationProps<Row>) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const phrase = `${action.verb.toLowerCase()} ${affected.length}`;
  const isConfirmed = affected.length > 0 && isNameConfirmed(phrase, typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) run(reason.trim() || null);
      }}
    >
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />}>
          {action.impact}
        </Alert>
        <RowList action={action} rows={rows} results={null} />
        {affected.length > 0 && (
          <>
            <TextInput
              label="Reason"
              description="Optional. Recorded in the audit log."
              maxLength={500}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <ConfirmationField name={phrase} typed={typed} onType={setTyped} />
          </>
        )}
        <FormButtons submit={action.verb} color="red" isPending={false} disabled={!isConfirmed} cancel={close} />
      </Stack>
    </form>
  );
}

interface RowListProps<Row> {
  readonly action: BulkAction<Row>;
  readonly rows: readonly Row[];
  /** Null before the run. */
  readonly results: Results | null;
}

function RowList<Row extends Named>({ action, rows, results }: RowListProps<Row>) {
  const stateOf = (row: Row): string => {
    if (results === null) return action.skipReason(row) ?? action.detailsOf(row);
    const result = results.get(row.id);
    if (result === undefined) return 'waiting';
    return result === null ? action.pastTense : `failed: ${result}`;
  };
  return (
    <div role="group" aria-label="Rows" tabIndex={0} style={{ maxHeight: 240, overflow: 'auto' }}>
      <List listStyleType="none" spacing={4}>
        {rows.map((row) => (
          <List.Item key={row.id}>
            <Text inherit style={{ overflowWrap: 'anywhere' }}>
              <strong>{row.name}</strong>, {stateOf(row)}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
