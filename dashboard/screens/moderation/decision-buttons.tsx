/** The decisions on the resource of a page, as buttons. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { useHasScope } from '../../session/session.ts';
import { DecisionDialog, type Subject } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';

interface DecisionButtonsProps {
  readonly subject: Subject;
  readonly decisions: readonly Decision[];
}

export function DecisionButtons({ subject, decisions }: DecisionButtonsProps) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const close = (): void => setDecision(null);
  if (!useHasScope('moderation:write')) return <ReadOnlyNotice />;
  return (
    <>
      {decisions.map((each) => (
        <Button
          key={each.verb}
          variant={each.impact === undefined ? 'default' : 'outline'}
          color={each.impact === undefined ? undefined : 'red'}
          onClick={() => setDecision(each)}
        >
          {each.verb}
        </Button>
      ))}
      <DecisionDialog {...subject} decision={decision} close={close} onSuccess={close} />
    </>
  );
}
