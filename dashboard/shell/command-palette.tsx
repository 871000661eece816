/** The button and the shortcut of the command palette. The code of the palette loads when it opens for the first time. */
import { ActionIcon, Button, Kbd, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState, type ComponentType } from 'react';
import { notifyError } from '../graph/operations.ts';
import { unreachableError } from '../graph/request-error.ts';
import type { PaletteProps } from './palette/palette.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const shortcut = isApple ? '⌘K' : 'Ctrl K';
const label = 'Search and open';

export function CommandPalette() {
  const [opened, setOpened] = useState(false);
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null);
  const open = (): void => {
    setOpened(true);
    if (Palette !== null) return;
    import('./palette/palette.tsx').then(
      (loaded) => setPalette(() => loaded.Palette),
      () => {
        setOpened(false);
        notifyError(unreachableError());
      },
    );
  };
  usePaletteShortcut(open);
  const props = { onClick: open, 'aria-keyshortcuts': isApple ? 'Meta+K' : 'Control+K', 'aria-label': label } as const;
  return (
    <>
      <Button
        {...props}
        visibleFrom="md"
        variant="default"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{shortcut}</Kbd>}
      >
        <Text inherit c="dimmed" fw={400}>
          {label}
        </Text>
      </Button>
      <ActionIcon {...props} hiddenFrom="md" variant="default" size="lg">
        <IconSearch size={18} />
      </ActionIcon>
      {Palette !== null && <Palette opened={opened} close={() => setOpened(false)} />}
    </>
  );
}

/** Ctrl+K, and ⌘K on Apple devices, also in text fields; not while a dialog is open. */
function usePaletteShortcut(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const hasModifier = isApple ? event.metaKey : event.ctrlKey;
      if (event.key.toLowerCase() !== 'k' || !hasModifier || event.altKey || event.shiftKey) return;
      // the browser's own shortcut would move the focus to the address bar
      event.preventDefault();
      if (document.querySelector('[aria-modal=true]') === null) open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
