/** The form field for the role of a member of an account. */
import { Radio, Stack } from '@mantine/core';
import { memberRoleNames, memberRoles, type MemberRole } from '../../../schema/member-roles.ts';
import { enumLabel } from '../enum-label.ts';

interface MemberRoleFieldProps {
  readonly value?: MemberRole;
  readonly onChange?: (role: MemberRole) => void;
}

export const MemberRoleField = ({ value, onChange }: MemberRoleFieldProps) => (
  <Radio.Group label="Role" value={value} onChange={(selected) => onChange?.(selected)}>
    <Stack gap="xs" mt="xs">
      {memberRoleNames.map((name) => (
        <Radio key={name} value={name} label={enumLabel(name)} description={memberRoles[name].allows} />
      ))}
    </Stack>
  </Radio.Group>
);
