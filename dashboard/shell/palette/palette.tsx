/** The command palette: opens a screen, an API key, an account, a portal user, an organization or an athlete by its name. */
import { Box, Loader, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { useGraphQuery } from '../../graph/operations.ts';
import { items, pages } from '../navigation.tsx';
import { PaletteList, type Option, type OptionGroup } from './palette-list.tsx';
import { groupsOf, paletteQuery, paletteVariables } from './palette-query.ts';

const debounceMs = 150;

export interface PaletteProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function Palette({ opened, close }: PaletteProps) {
  // after a selection, navigation moves the focus to the heading of the screen
  const [isSelected, setSelected] = useState(false);
  if (opened && isSelected) setSelected(false);
  return (
    <Modal.Root opened={opened} onClose={close} returnFocus={!isSelected} size="lg" padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search and open">
        {opened && (
          <PaletteSearch
            close={() => {
              setSelected(true);
              close();
            }}
          />
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

const screenChoices = [
  ...items.map(({ to, label }) => ({ label, open: { to } })),
  { label: 'Issue API key', open: { to: '/keys/issue' } },
  { label: 'Your account', open: { to: '/own-account' } },
  ...pages.map(({ href, label }) => ({ label, open: { href } })),
] as const;

/** The screens whose names have all words. */
function screensOf(typed: string): OptionGroup | null {
  const words = typed.toLowerCase().split(/\s+/);
  const options = screenChoices
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map(({ label, open }) => ({ key: label.replaceAll(' ', '-'), name: label, open }));
  return options.length === 0 ? null : { label: 'Screens', options };
}

/** The matching screens, and what the platform found. Its results are current when they belong to the typed text. */
function useOptions(typed: string) {
  const text = typed.trim();
  const [searched] = useDebouncedValue(text, debounceMs);
  const query = useGraphQuery(paletteQuery, paletteVariables(searched), { enabled: searched !== '' });
  const screens = screensOf(text);
  const found = text === '' || query.data === undefined ? [] : groupsOf(query.data);
  const groups: OptionGroup[] = [
    ...(screens === null ? [] : [screens]),
    ...found.map((group) => ({
      label: group.label,
      options: group.found.map(({ to, id, name, details }) => ({ key: id, name, details, open: { to, params: { id } } })),
    })),
  ];
  const isCurrent = text === '' || (text === searched && !query.isPlaceholderData && !query.isPending);
  return { groups, isCurrent, error: text === '' ? null : query.error };
}

function PaletteSearch({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const [index, setIndex] = useState(0);
  const { groups, isCurrent, error } = useOptions(typed);
  const navigate = useNavigate();
  const id = useId();
  const options = groups.flatMap((group) => group.options);
  const active = options[Math.min(index, options.length - 1)];

  const select = ({ open }: Option): void => {
    if ('href' in open) return window.location.assign(open.href);
    close();
    void navigate(open);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || options.length === 0) return;
    const current = Math.min(index, options.length - 1);
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: options.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIndex((current + step) % options.length);
    }
    // results of the previous text would open the wrong page
    if (event.key === 'Enter' && active !== undefined && (isCurrent || !('params' in active.open))) select(active);
  };
  return (
    <Box>
      <TextInput
        role="combobox"
        aria-label="Screen, API key, account, portal user, organization or athlete"
        aria-expanded
        aria-haspopup="listbox"
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active.key}`}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        variant="unstyled"
        size="md"
        px="xs"
        placeholder="Name, public ID of a key, or ID"
        maxLength={200}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={isCurrent || error !== null ? null : <Loader size="xs" aria-label="Searching" />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <PaletteList id={id} groups={groups} active={active} isBusy={!isCurrent} select={select} />
      <Text role="status" c="dimmed" px="md" pb="sm" size="sm">
        {error !== null && `The search failed: ${error.message}`}
        {error === null && options.length === 0 && (isCurrent ? 'No results' : 'Searching…')}
      </Text>
    </Box>
  );
}
