import type { Command } from '@draftshelf/contract/review/edit-history';
import { Skeleton, Stack, Text } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import { EmptyState } from '../../../ui/brand.tsx';
import { PlainButton } from '../../../ui/button.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText, QuietText, RelativeTime, SmallText } from '../../../ui/text.tsx';
import type { ShownImport } from '../imports-api.ts';
import { authorWords, editLock, leftSentences } from './edit-words.ts';
import classes from './edits.module.css';
import { useCommandPages } from './edits-api.ts';
import { leftWords, useUndo } from './use-undo.ts';

type HistoryDrawerProps = { record: ShownImport; opened: boolean; onClose: () => void };

export function HistoryDrawer({ record, opened, onClose }: HistoryDrawerProps) {
  return (
    <ViewDrawer opened={opened} title="History" width={520} onClose={onClose}>
      <Commands record={record} />
    </ViewDrawer>
  );
}

function Commands({ record }: { record: ShownImport }) {
  const pages = useCommandPages(record.id);
  return (
    <Read of={pages} what="the history" meanwhile={<CommandsPending />}>
      {(data) => {
        const commands = data.pages.flatMap((page) => page.commands);
        if (commands.length === 0) return <NoCommands />;
        return (
          <>
            <ol className={`list ${classes.list}`} aria-label="Changes of this import">
              {commands.map((command) => (
                <CommandLine key={command.id} record={record} command={command} />
              ))}
            </ol>
            {pages.hasNextPage && (
              <PlainButton loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
                Show Older Changes
              </PlainButton>
            )}
          </>
        );
      }}
    </Read>
  );
}

const CommandsPending = () => (
  <Stack gap="sm" aria-hidden>
    <Skeleton height={64} />
    <Skeleton height={64} />
    <Skeleton height={64} />
  </Stack>
);

const NoCommands = () => (
  <EmptyState>
    <Text fw={600}>No changes yet</Text>
    <QuietText>
      Every edit of these rows will be listed here, with who made it and when. You can undo each of them.
    </QuietText>
  </EmptyState>
);

const busyWords: Partial<Record<Command['state'], string>> = {
  applying: ' · being applied',
  undoing: ' · being undone',
};

const busyReasons: Partial<Record<Command['state'], string>> = {
  applying: 'Still applying. Stop it from the bar above the rows.',
  undoing: 'Still being undone.',
};

function CommandLine({ record, command }: { record: ShownImport; command: Command }) {
  const { id, sentence, author, at, rows, leftCells, leftRows, state, undo } = command;
  const { run, isPending } = useUndo(record.id);
  const direction = undo === null ? 'undo' : 'redo';
  const label = undo === null ? 'Undo' : 'Redo';
  return (
    <li className="flex gap-sm top between pad-y-xs line-below" data-undone={undo !== null || undefined}>
      <div className="break-words">
        <BodyText dir="auto" className={`strong ${classes.sentence}`}>
          {sentence}
        </BodyText>
        <SmallText className="numbers">
          {authorWords[author]} · <RelativeTime time={at} />
          {rows > 0 && ` · ${countOf(rows, 'row')}`}
          {busyWords[state]}
        </SmallText>
        {leftSentences(leftCells, leftRows).map((words) => (
          <SmallText key={words} className="numbers">
            {words}
          </SmallText>
        ))}
        {undo !== null && (
          <Text size="xs" className="warning numbers">
            Undone: {authorWords[undo.author]} · <RelativeTime time={undo.at} />
            {undo.left > 0 && ` · ${leftWords(undo.left)}`}
          </Text>
        )}
      </div>
      <ReasonedButton
        className="rigid"
        size="compact-md"
        variant="default"
        reason={busyReasons[state] ?? editLock(record)}
        loading={isPending}
        aria-label={`${label}: ${sentence}`}
        onClick={() => void run({ commands: [undo?.id ?? id], direction, sentence })}
      >
        {label}
      </ReasonedButton>
    </li>
  );
}
