/** The list of results of the command palette. The focus stays in the text field, which names the active option. */
import { Box, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { items, pages } from '../navigation.tsx';

type ScreenPath = (typeof items)[number]['to'] | '/keys/issue' | '/own-account';

/** What an option opens: a screen, the page of a resource, or a page outside of the dashboard. */
type Target =
  | { readonly to: ScreenPath }
  | {
      readonly to: '/keys/$id' | '/accounts/$id' | '/moderation/organizations/$id' | '/moderation/athletes/$id';
      readonly params: { readonly id: string };
    }
  | { readonly href: (typeof pages)[number]['href'] };

export interface Option {
  readonly key: string;
  readonly name: string;
  readonly details?: string;
  readonly open: Target;
}

export interface OptionGroup {
  readonly label: string;
  readonly options: readonly Option[];
}

interface PaletteListProps {
  /** The start of the IDs of the elements. */
  readonly id: string;
  readonly groups: readonly OptionGroup[];
  readonly active: Option | undefined;
  readonly isBusy: boolean;
  readonly select: (option: Option) => void;
}

export function PaletteList({ id, groups, active, isBusy, select }: PaletteListProps) {
  useEffect(() => {
    if (active !== undefined) document.getElementById(`${id}-${active.key}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <Box
      id={`${id}-list`}
      role="listbox"
      aria-label="Results"
      aria-busy={isBusy}
      tabIndex={-1}
      mah="min(60vh, 28rem)"
      px="xs"
      pb="xs"
      style={{ overflowY: 'auto' }}
      // a click does not move the focus out of the text field
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map((group) => (
        <Box key={group.label} role="group" aria-labelledby={`${id}-${group.label.replace(' ', '-')}`}>
          <Text id={`${id}-${group.label.replace(' ', '-')}`} size="xs" c="dimmed" fw={600} px="xs" pt="xs" pb={4}>
            {group.label}
          </Text>
          {group.options.map((option) => (
            <Box
              key={option.key}
              id={`${id}-${option.key}`}
              role="option"
              aria-selected={option === active}
              className="palette-option"
              onClick={() => select(option)}
            >
              <Text component="div" inherit truncate>
                {option.name}
              </Text>
              {option.details !== undefined && option.details !== '' && (
                <Text component="div" size="xs" c="dimmed" truncate>
                  {option.details}
                </Text>
              )}
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}
