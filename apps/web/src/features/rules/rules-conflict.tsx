import type { SavedRules } from '@draftshelf/contract/enrich/rules';
import { Text } from '@mantine/core';
import { countOf } from '../../lib/intl.ts';
import { SaveConflict } from '../../ui/feedback/save-conflict.tsx';
import type { RulesEdit } from './use-rules-edit.ts';

/** The choice between the edited rules and those that another tab has saved meanwhile. */
export function RulesConflict({ edit, theirs }: { edit: RulesEdit; theirs: SavedRules }) {
  return (
    <SaveConflict
      title="The rules have been changed in another tab. Nothing was saved."
      isSaving={edit.isSaving}
      onSaveMine={edit.saveMine}
      onUseTheirs={edit.useTheirs}
    >
      <Text size="sm">{`There are ${countOf(theirs.rules.length, 'rule')} now. You have ${countOf(edit.rules.length, 'rule')}.`}</Text>
    </SaveConflict>
  );
}
