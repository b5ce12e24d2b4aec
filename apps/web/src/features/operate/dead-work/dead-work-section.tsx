import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Suspense, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { useTold } from '../../../ui/hooks/use-told.ts';
import { useDeadWork, useDeadWorkAction } from '../dead-work-api.ts';
import { DeadImportPanel, type GivingUp } from './dead-import-panel.tsx';
import { groupByImport } from './group-by-import.ts';

const Confirm = lazily(() => import('../../../ui/feedback/confirm.tsx').then((chunk) => chunk.Confirm));

/** Parts of imports that have failed for good, with what can be done about them. */
export function DeadWorkSection() {
  /** The `before` of each page up to the one that is shown. */
  const [pages, setPages] = useState<(number | undefined)[]>([undefined]);
  const page = useDeadWork(pages.at(-1));
  const [givingUp, setGivingUp] = useState<GivingUp | null>(null);
  const isMounted = useEver(givingUp !== null);
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
      {page.isError && (
        <ErrorPanel title="Couldn’t load the dead work." cause={page.error.message}>
          <Button onClick={() => page.refetch()}>Try Again</Button>
        </ErrorPanel>
      )}
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
      {isMounted && (
        <Suspense fallback={null}>
          <Confirm
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
          </Confirm>
        </Suspense>
      )}
    </Stack>
  );
}
