import { Group, Table } from '@mantine/core';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { differences } from './setting-words.ts';
import classes from './settings.module.css';
import type { SettingsEdit } from './use-settings-form.ts';

/** Both values of each setting that somebody else has changed meanwhile. */
export function Conflict({ edit }: { edit: SettingsEdit }) {
  if (edit.conflict === null) return null;
  const changed = differences(edit.form.values, edit.conflict.settings);
  return (
    <ErrorPanel tone="warning" title="Somebody else has changed the settings. Nothing was saved.">
      <Table aria-label="Both values">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Setting</Table.Th>
            <Table.Th>Yours</Table.Th>
            <Table.Th>Saved meanwhile</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changed.map(({ name, mine, theirs }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td className={classes.words}>{mine}</Table.Td>
              <Table.Td className={classes.words}>{theirs}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
