import type { SavedRules } from '@draftshelf/contract/rules';
import { Group, Text } from '@mantine/core';
import type { RefObject } from 'react';
import { Button } from '../../../components/button.tsx';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import { countOf } from '../../../lib/intl.ts';
import { useFocusAfter } from '../../../lib/use-focus-after.ts';
import type { RulesEdit } from './use-rules-edit.ts';

type RulesConflictProps = {
  edit: RulesEdit;
  theirs: SavedRules;
  /** Gets the focus when the choice is made. */
  focusAfter: RefObject<HTMLElement | null>;
};

/** The choice between the edited rules and those that another tab has saved meanwhile. */
export function RulesConflict({ edit, theirs, focusAfter }: RulesConflictProps) {
  useFocusAfter(focusAfter);
  return (
    <ErrorPanel tone="warning" title="The rules have been changed in another tab. Nothing was saved.">
      <Text size="sm">{`There are ${countOf(theirs.rules.length, 'rule')} now. You have ${countOf(edit.rules.length, 'rule')}.`}</Text>
      <Group gap="sm">
        <Button busy={edit.isSaving} onClick={edit.saveMine}>
          Save Yours
        </Button>
        <Button variant="default" busy={edit.isSaving} onClick={edit.useTheirs}>
          Use Theirs
        </Button>
      </Group>
    </ErrorPanel>
  );
}
