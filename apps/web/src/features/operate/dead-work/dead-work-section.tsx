import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/feedback/question.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { useTold } from '../../../ui/hooks/use-told.ts';
import { useDeadWork, useDeadWorkAction } from '../dead-work-api.ts';
import { DeadImportPanel, type GivingUp } from './dead-import-panel.tsx';
import { groupByImport } from './group-by-import.ts';

/** Parts of imports that have failed for good, with what can be done about them. */
export function DeadWorkSection() {
  /** The `before` of each page up to the one that is shown. */
  const [pages, setPages] = useState<(number | undefined)[]>([undefined]);
  const page = useDeadWork(pages.at(-1));
  const [givingUp, setGivingUp] = useState<GivingUp | null>(null);
  const action = useDeadWorkAction();
  const start = useTold(action);
  const next = page.data?.next ?? null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="dead-work">
      <Title order={2} id="dead-work">
        Dead Work
      </Title>
      <Text size="sm" c="dimmed">
        Parts of imports that have failed for good. Nothing is discarded until you retry it or give it up.
      </Text>
      <ReadFailure what="the dead work" reads={[page]} />
      {page.isPending && <Skeleton height={19} />}
      {page.data?.items.length === 0 && (
        <Text size="sm" role="status">
          {pages.length > 1 ? 'Nothing is left on this page.' : 'Nothing is dead.'}
        </Text>
      )}
      {page.data !== undefined && page.data.total > 0 && (
        <Text size="sm" role="status">
          {page.data.isMore
            ? `More than ${formatCount(page.data.total)} parts.`
            : `${countOf(page.data.total, 'part')}.`}
        </Text>
      )}
      {groupByImport(page.data?.items ?? []).map((group) => (
        <DeadImportPanel
          key={group.importId}
          group={group}
          isBusy={action.isPending}
          onRetry={() => start({ kind: 'retry', importId: group.importId })}
          onGiveUp={setGivingUp}
        />
      ))}
      {(pages.length > 1 || next !== null) && (
        <Group gap="sm">
          <Button
            variant="default"
            disabled={pages.length === 1}
            onClick={() => setPages(pages.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            variant="default"
            disabled={next === null}
            onClick={() => next !== null && setPages([...pages, next])}
          >
            Older
          </Button>
        </Group>
      )}
      <Question
        opened={givingUp !== null}
        title={givingUp?.title ?? ''}
        confirm="Give Up"
        keep="Keep"
        onConfirm={() => {
          if (givingUp) start(givingUp.action);
          setGivingUp(null);
        }}
        onClose={() => setGivingUp(null)}
      >
        {givingUp?.meaning}
      </Question>
    </Stack>
  );
}
