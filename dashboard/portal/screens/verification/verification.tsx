/** The verification of the organizations of the account: their status, and requests to the operator. */
import { Screen } from '../../../components/screen.tsx';
import { useHasScope } from '../../../session/session.ts';
import { OwnerNotice } from '../partner-requests/owner-notice.tsx';
import { OwnOrganizations } from './own-organizations.tsx';
import { VerificationRequests } from './verification-requests.tsx';

export function Verification() {
  const canRequest = useHasScope('requests:write');
  return (
    <Screen
      title="Verification"
      description="The operator verifies the identity of the organizations of the account."
      actions={canRequest ? undefined : <OwnerNotice />}
    >
      <OwnOrganizations />
      <VerificationRequests />
    </Screen>
  );
}
