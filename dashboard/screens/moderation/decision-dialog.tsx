/** What a moderator may do about a row: asked for the words that belong to it, and told to the platform. */
import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import type { Document } from '../../graph/graphql.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';

export interface Decision {
  /** "Verify" */
  readonly verb: string;
  /** "Verified" */
  readonly said: string;
  readonly document: Document<unknown, { id: string; words: string }>;
  /** What is asked: "How it was verified"; without it nothing is. */
  readonly asks?: string;
  /** What it means to those who are concerned, where it hides something: then the name is typed too. */
  readonly hides?: string;
}

export interface Decided {
  readonly id: string;
  /** What a row is about, in a word or some. */
  readonly name: string;
}

interface DialogProps extends Decided {
  /** Null while nothing is being decided. */
  readonly decision: Decision | null;
  readonly close: () => void;
  readonly done: () => void;
}

/** Asks for the words of a decision. */
export function DecisionDialog({ decision, ...rest }: DialogProps) {
  // while it closes it says what it said
  const [last, setLast] = useState(decision);
  if (decision !== null && decision !== last) setLast(decision);
  const shown = decision ?? last;
  return shown === null ? null : <Dialog key={shown.verb} decision={shown} opened={decision !== null} {...rest} />;
}

interface OpenedProps extends DialogProps {
  readonly decision: Decision;
  readonly opened: boolean;
}

function Dialog({ id, name, decision: { verb, said, document, asks, hides }, opened, close, done }: OpenedProps) {
  const { mutate, isPending } = useChange(document, { done, said: `${said}: ${name}` });
  const title = `${verb} ${name}?`;
  if (hides !== undefined)
    return (
      <ConfirmByName
        opened={opened}
        close={close}
        title={title}
        name={name}
        action={verb}
        pending={isPending}
        asksReason
        confirm={(reason) => mutate({ id, words: reason ?? 'No reason was told' })}
      >
        {hides}
      </ConfirmByName>
    );
  return (
    <Modal opened={opened} onClose={close} title={title}>
      {opened && <Words verb={verb} asks={asks} isPending={isPending} close={close} decide={(words) => mutate({ id, words })} />}
    </Modal>
  );
}

interface WordsProps extends Pick<Decision, 'verb' | 'asks'> {
  readonly isPending: boolean;
  readonly close: () => void;
  readonly decide: (words: string) => void;
}

function Words({ verb, asks, isPending, close, decide }: WordsProps) {
  const [words, setWords] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        decide(words.trim());
      }}
    >
      <Stack>
        {asks !== undefined && (
          <Textarea
            label={asks}
            required
            autosize
            minRows={2}
            maxLength={200}
            data-autofocus
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={asks !== undefined && words.trim() === ''}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
