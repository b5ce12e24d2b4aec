import { Group } from '@mantine/core';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { PlainTable } from '../../components/table/record-table.tsx';
import classes from './settings.module.css';
import type { SettingsEdit } from './use-settings-form.ts';
import { differences } from './value-words.ts';

/** Both values of each setting that somebody else has changed meanwhile. */
export function Conflict({ edit }: { edit: SettingsEdit }) {
  if (edit.conflict === null) return null;
  const changed = differences(edit.form.values, edit.conflict.settings);
  return (
    <ErrorPanel tone="warning" title="Somebody else has changed the settings. Nothing was saved.">
      <PlainTable
        label="Both values"
        records={changed}
        keyOf={({ name }) => name}
        columns={[
          { head: 'Setting', cell: ({ name }) => name },
          { head: 'Yours', className: classes.words, cell: ({ mine }) => mine },
          { head: 'Saved meanwhile', className: classes.words, cell: ({ theirs }) => theirs },
        ]}
      />
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
