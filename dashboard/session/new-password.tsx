/** The field for a new password, with its requirements. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The minimum that the API accepts. */
const passwordLengthMin = 12;

export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      description={`At least ${passwordLengthMin} characters. A few random words are easy to remember and hard to guess.`}
      autoComplete="new-password"
      required
      minLength={passwordLengthMin}
      maxLength={200}
      {...props}
    />
  );
}
