/** The buttons at the end of a form in a dialog: cancel and submit. */
import { Button, Group, type ButtonProps } from '@mantine/core';

interface FormButtonsProps {
  /** The verb of the submit button: "Save". */
  readonly submit: string;
  readonly isPending: boolean;
  readonly cancel: () => void;
  readonly disabled?: boolean;
  readonly color?: ButtonProps['color'];
  /** Whether a dialog without fields starts at the submit button. */
  readonly autoFocus?: boolean;
}

export const FormButtons = ({ submit, isPending, cancel, disabled, color, autoFocus }: FormButtonsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={cancel}>
      Cancel
    </Button>
    <Button type="submit" data-autofocus={autoFocus} color={color} disabled={disabled} loading={isPending}>
      {submit}
    </Button>
  </Group>
);
