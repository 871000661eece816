/** A password that is chosen: with what is asked of it, and something that shows it. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** As the platform asks it. */
export const passwordLengthMin = 12;

export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      description={`${passwordLengthMin} characters or more. A few words are easy to remember and hard to guess.`}
      autoComplete="new-password"
      required
      minLength={passwordLengthMin}
      maxLength={200}
      {...props}
    />
  );
}
