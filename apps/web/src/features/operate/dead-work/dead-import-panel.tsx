import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { importPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { FoldOut } from '../../../ui/feedback/fold-out.tsx';
import classes from '../../../ui/sections.module.css';
import { RelativeTime } from '../../../ui/time.tsx';
import type { DeadWorkAction } from '../dead-work-api.ts';
import type { DeadImport } from './group-by-import.ts';

/** What is asked before something is given up: its meaning, and what is then done. */
export type GivingUp = { title: string; meaning: string; action: DeadWorkAction };

const cancelMeaning =
  'The import is cancelled for good: it can’t be retried, read again or pushed. ' +
  'Products that are already in the store stay there. A re-read is taken back instead, and the import stays.';

type PanelProps = {
  group: DeadImport;
  isBusy: boolean;
  onRetry: () => void;
  onGiveUp: (asked: GivingUp) => void;
};

/** The dead parts of one import. */
export function DeadImportPanel({ group, isBusy, onRetry, onGiveUp }: PanelProps) {
  const { importId, filename, items } = group;
  const giveUp = () =>
    onGiveUp({
      title: `Give up ${filename}?`,
      meaning: cancelMeaning,
      action: { kind: 'giveUp', importId },
    });
  const giveUpTask = ({ id, part, without }: DeadWork) =>
    onGiveUp({
      title: `Give up “${part}”?`,
      meaning: without ?? '',
      action: { kind: 'giveUpTask', importId, task: id },
    });
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Dead work of ${filename}`}>
      <Group gap="sm" justify="space-between">
        <Anchor component={Link} to={importPath(importId)} className="break-words">
          {filename}
        </Anchor>
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-md"
            disabled={!group.canRetry || isBusy}
            aria-label={`Retry ${filename}`}
            onClick={onRetry}
          >
            Retry
          </Button>
          {group.canCancel && (
            <Button
              variant="default"
              size="compact-md"
              disabled={isBusy}
              aria-label={`Give up ${filename}`}
              onClick={giveUp}
            >
              Give Up
            </Button>
          )}
        </Group>
      </Group>
      <ul className={`list ${classes.parts}`}>
        {items.map((item) => (
          <li key={item.id}>
            <DeadPart item={item} isBusy={isBusy} onGiveUp={() => giveUpTask(item)} />
          </li>
        ))}
      </ul>
    </Paper>
  );
}

const stageNames: Record<string, string> = { parse: 'Parse', enrich: 'Enrich', push: 'Push' };

function DeadPart({ item, isBusy, onGiveUp }: { item: DeadWork; isBusy: boolean; onGiveUp: () => void }) {
  const { id, stage, part, attempts, cause, technical, at, isTask, canRetry, without } = item;
  return (
    <Stack gap="var(--hair)">
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={500}>
          {`${stageNames[stage] ?? stage} · ${part}`}
        </Text>
        {isTask && without !== null && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            disabled={isBusy}
            aria-label={`Give up ${part}`}
            onClick={onGiveUp}
          >
            Give Up
          </Button>
        )}
      </Group>
      <Text size="sm" className="break-words">
        {cause}
        {isTask && !canRetry && ' Start it again on the import’s page.'}
        {isTask && without === null && ' It can only be retried.'}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {`${attempts} attempts · `}
        {at !== null && <RelativeTime time={at} />}
        {` · in the log: "chunkId":${id}`}
      </Text>
      {technical !== null && <FoldOut text={technical} what="Error" />}
    </Stack>
  );
}
