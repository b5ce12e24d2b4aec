import { Group, Stack, Text } from '@mantine/core';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/feedback/question.tsx';
import { later } from '../../ui/later.tsx';
import classes from '../../ui/sections.module.css';
import type { SettingsEdit } from './use-settings-form.ts';

const Conflict = later(() => import('./settings-conflict.tsx').then((chunk) => chunk.Conflict));

/** One save for all tabs, and both values of what somebody else changed meanwhile. */
export function SaveBar({ edit, always }: { edit: SettingsEdit; always: boolean }) {
  if (!always && !edit.isDirty && edit.conflict === null) return null;
  return (
    <Stack gap="sm" className={classes.saveBar}>
      {edit.conflict !== null && <Conflict edit={edit} />}
      <Question
        opened={edit.isAsking}
        title="Push new files by themselves?"
        confirm="Use Full Auto"
        keep="Keep Editing"
        onConfirm={edit.confirm}
        onClose={edit.stopAsking}
      >
        <Text size="sm">
          Full auto pushes new files without a review, as drafts. Files with unsure columns or many problems
          still wait for you. Products that the store has already are skipped, updated or created again, as
          chosen in Shopify Integration.
        </Text>
      </Question>
      <Group gap="sm">
        <Button variant={edit.isDirty ? 'filled' : 'default'} busy={edit.isSaving} onClick={edit.save}>
          {edit.isSaving ? 'Saving...' : 'Save Settings'}
        </Button>
        {edit.isDirty && (
          <>
            <Button variant="default" disabled={edit.isSaving} onClick={edit.discard}>
              Discard
            </Button>
            <Text size="sm" c="dimmed" role="status">
              Unsaved changes
            </Text>
          </>
        )}
      </Group>
    </Stack>
  );
}
