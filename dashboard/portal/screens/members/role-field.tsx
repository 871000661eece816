/** The form field for the role of a member. */
import { Radio, Stack } from '@mantine/core';
import { memberRoleNames, memberRoles, type MemberRole } from '../../../../schema/member-roles.ts';
import { enumLabel } from '../../../components/enum-label.ts';

interface RoleFieldProps {
  readonly value?: MemberRole;
  readonly onChange?: (role: MemberRole) => void;
}

export const RoleField = ({ value, onChange }: RoleFieldProps) => (
  <Radio.Group label="Role" value={value} onChange={(selected) => onChange?.(selected)}>
    <Stack gap="xs" mt="xs">
      {memberRoleNames.map((name) => (
        <Radio key={name} value={name} label={enumLabel(name)} description={memberRoles[name].allows} />
      ))}
    </Stack>
  </Radio.Group>
);
