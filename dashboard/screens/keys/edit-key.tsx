/** The dialog in which an administrator edits an API key. */
import { graphql } from '../../graph/graphql.ts';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import type { KeyDetails } from './key.tsx';

const updateKeyMutation = graphql(`
  mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!, $ifMatch: String!) {
    updateApiKey(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface EditKeyProps {
  readonly apiKey: KeyDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditKey = (props: EditKeyProps) => <EditKeyDialog {...props} document={updateKeyMutation} />;
