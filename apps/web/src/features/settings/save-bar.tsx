import { Group, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { lazily } from '../../lib/load-chunk.ts';
import { Button } from '../../ui/button.tsx';
import classes from '../../ui/sections.module.css';
import type { SettingsEdit } from './use-settings-form.ts';

const FullAutoQuestion = lazily(() =>
  import('./full-auto-question.tsx').then((chunk) => chunk.FullAutoQuestion),
);
const Conflict = lazily(() => import('./settings-conflict.tsx').then((chunk) => chunk.Conflict));

/** One save for all tabs, and both values of what somebody else changed meanwhile. */
export function SaveBar({ edit, always }: { edit: SettingsEdit; always: boolean }) {
  if (!always && !edit.isDirty && edit.conflict === null) return null;
  return (
    <Stack gap="sm" className={classes.saveBar}>
      {edit.conflict !== null && (
        <Suspense fallback={null}>
          <Conflict edit={edit} />
        </Suspense>
      )}
      {edit.isAsking && (
        <Suspense fallback={null}>
          <FullAutoQuestion edit={edit} />
        </Suspense>
      )}
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
