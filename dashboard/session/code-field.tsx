/** The field for the code of the second factor. */
import { TextInput, type TextInputProps } from '@mantine/core';

export const CodeField = (props: TextInputProps) => (
  <TextInput
    label="Code"
    description="The 6 digits in your authenticator app, or a recovery code."
    autoComplete="one-time-code"
    spellCheck={false}
    required
    maxLength={40}
    {...props}
  />
);
