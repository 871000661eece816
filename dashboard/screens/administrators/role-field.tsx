/** The form field for the role of an administrator. */
import { Radio, Stack } from '@mantine/core';
import { roleNames, roles, type Role } from '../../../schema/roles.ts';
import { enumLabel } from '../../components/enum-label.ts';

interface RoleFieldProps {
  readonly value?: Role;
  readonly onChange?: (role: Role) => void;
}

export const RoleField = ({ value, onChange }: RoleFieldProps) => (
  <Radio.Group label="Role" value={value} onChange={(selected) => onChange?.(selected)}>
    <Stack gap="xs" mt="xs">
      {roleNames.map((name) => (
        <Radio key={name} value={name} label={enumLabel(name)} description={roles[name].allows} />
      ))}
    </Stack>
  </Radio.Group>
);
