/** A form field with one value per line, whose errors name the line. */
import { List, Textarea, type TextareaProps } from '@mantine/core';

/** The lines of a text that are not empty, with their line numbers (from 1). */
export const linesOf = (text: string): readonly { readonly line: number; readonly text: string }[] =>
  text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');

/** The values of the lines. */
export const valuesOfLines = (text: string): string[] => linesOf(text).map((line) => line.text);

interface LinesFieldProps extends Pick<TextareaProps, 'label' | 'description' | 'placeholder' | 'error'> {
  readonly value: string;
  /** Error messages by index of the value. */
  readonly violations: ReadonlyMap<number, string>;
}

export function LinesField({ violations, error, ...props }: LinesFieldProps) {
  const lines = linesOf(props.value);
  const invalidLines = [...violations].flatMap(([index, detail]) => {
    const line = lines[index];
    return line === undefined ? [] : [{ ...line, detail }];
  });
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...props}
      error={
        invalidLines.length === 0 ? (
          error
        ) : (
          <List component="ul" size="xs" listStyleType="none">
            {invalidLines.map(({ line, detail }) => (
              <List.Item key={line}>
                Line {line}: {detail}
              </List.Item>
            ))}
          </List>
        )
      }
    />
  );
}
