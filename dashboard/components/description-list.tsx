/** The properties of a resource as names and values, in as many columns as fit. */
import { Box, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface DescriptionListProps {
  /** Names and values. Values that are null are omitted. */
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}

export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="md" verticalSpacing="sm" m={0}>
      {items
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Box key={name} miw={0}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Box>
        ))}
    </SimpleGrid>
  );
}
