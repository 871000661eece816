/** A text of several lines in a monospaced block that scrolls. JSON is indented. */
import { Box, Code, Text } from '@mantine/core';
import { useId } from 'react';
import { indentJson } from './indent-json.ts';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

const maxHeight = 360;

export function CodeBlock({ label, text }: CodeBlockProps) {
  const id = useId();
  return (
    <Box component="figure" m={0} aria-labelledby={id}>
      <Text component="figcaption" id={id} size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <Code
        block
        role="group"
        tabIndex={0}
        aria-label={`${label}, text`}
        fz="0.75rem"
        style={{ maxHeight, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {indentJson(text)}
      </Code>
    </Box>
  );
}
