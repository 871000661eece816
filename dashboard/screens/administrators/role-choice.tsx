/** What an administrator may do, to be chosen. */
import { Radio, Stack } from '@mantine/core';
import { roleNames, roles, type Role } from '../../../schema/roles.ts';
import { said } from '../../parts/status-badge.tsx';

interface RoleChoiceProps {
  readonly value?: Role;
  readonly onChange?: (role: Role) => void;
}

export const RoleChoice = ({ value, onChange }: RoleChoiceProps) => (
  <Radio.Group label="Role" value={value} onChange={(chosen) => onChange?.(chosen)}>
    <Stack gap="xs" mt="xs">
      {roleNames.map((name) => (
        <Radio key={name} value={name} label={said(name)} description={roles[name].allows} />
      ))}
    </Stack>
  </Radio.Group>
);
