import { BothValues, SaveConflict } from '../../ui/feedback/save-conflict.tsx';
import type { SettingsEdit } from './use-settings-form.ts';
import { differences } from './value-words.ts';

/** Both values of each setting that somebody else has changed meanwhile. */
export function Conflict({ edit }: { edit: SettingsEdit }) {
  if (edit.conflict === null) return null;
  return (
    <SaveConflict
      title="Somebody else has changed the settings. Nothing was saved."
      isSaving={edit.isSaving}
      onSaveMine={edit.saveMine}
      onUseTheirs={edit.useTheirs}
    >
      <BothValues head="Setting" differences={differences(edit.form.values, edit.conflict.settings)} />
    </SaveConflict>
  );
}
