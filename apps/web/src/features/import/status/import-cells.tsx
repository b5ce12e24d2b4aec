import { formatFileSize } from '@draftshelf/domain/base/format';
import { Anchor, Box, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconAlertTriangle, IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { importPath } from '../../../lib/paths.ts';
import { ClockTime, EllipsisName } from '../../../ui/basics.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { useNow, useReportPath } from '../../../ui/hooks.ts';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { useNoPushWorker } from '../../operate/index.ts';
import type { ShownImport } from '../imports-api.ts';
import { findOpeningFilter, type OpenedImport } from '../rows-address.ts';
import { usePrefetchRows } from '../rows-api.ts';
import {
  noWorkerWords,
  plannedPushWords,
  pushResultWords,
  retryWords,
  undecidedWords,
} from './auto-words.ts';
import { heldReasonWords } from './currency-gate.tsx';
import { captionProps } from './import-progress.tsx';
import classes from './status.module.css';

/** A link to the import. A long filename is shortened in the middle, so that its extension stays visible. */
export function FileLink({ record }: { record: Pick<ShownImport, 'id' | 'filename'> & OpenedImport }) {
  const readAhead = usePrefetchRows();
  const ahead = useIntent(() => readAhead(record.id, findOpeningFilter(record)), isAtRest(record));
  return (
    <Anchor
      {...useTabStop()}
      component={Link}
      to={importPath(record.id)}
      className={`${classes.name} strong pre shrink fit at-most-full flex`}
      dir="auto"
      title={record.filename}
      aria-label={record.filename}
      {...ahead}
    >
      <EllipsisName name={record.filename} />
    </Anchor>
  );
}

/** False while a stage runs, because the rows may still change. */
const isAtRest = ({ status }: Pick<ShownImport, 'status'>) =>
  status !== 'processing' && status !== 'uploading';

/** Milliseconds of hover or focus on a link after which the operator will probably open the link. */
const intentMs = 150;

function useIntent(onIntent: () => void, isWanted: boolean) {
  const { start, clear } = useTimeout(onIntent, intentMs);
  const restart = () => {
    clear();
    if (isWanted) start();
  };
  return { onMouseEnter: restart, onMouseLeave: clear, onFocus: restart, onBlur: clear };
}

export const OriginLabel = ({ record: { source } }: { record: Pick<ShownImport, 'source'> }) =>
  source === 'upload' ? null : (
    <span className={`${classes.origin} tag small rigid`}>{originLabels[source]}</span>
  );

export const originLabels = { onedrive: 'OneDrive', local: 'Folder', address: 'Address' } as const;

export const FileName = ({ record }: { record: ShownImport }) => (
  <Box miw={0}>
    <div className="row">
      <FileLink record={record} />
      <OriginLabel record={record} />
    </div>
    <Text c="dimmed" {...captionProps}>
      {formatFileSize(record.fileSize)} · <ClockTime time={record.createdAt} />
      {record.testMode && ' · test (first 3 rows)'}
    </Text>
  </Box>
);

/** Returns the failure of an import, or undefined if it has not failed or if a stage runs. */
export function reasonOf(record: ShownImport): ReactNode | undefined {
  if (record.errorMessage === null) return undefined;
  if (!record.isUnreadable && (record.status === 'processing' || record.status === 'uploading'))
    return undefined;
  return <Failure record={record} />;
}

function Failure({ record }: { record: ShownImport }) {
  const retries = retryWords(record, useNow());
  return <Reason record={record} sentence={[retries, record.errorMessage].filter(Boolean).join(' ')} />;
}

/** Returns the state of full auto, or undefined if there is nothing to report. */
export function renderAutoState(record: ShownImport): ReactNode | undefined {
  if (record.autoPushAt !== null) return <FullAutoLine record={record} />;
  const heldReason = record.autoHeld ?? pushResultWords(record) ?? heldReasonWords(record);
  if (heldReason !== null) return <Reason record={record} sentence={heldReason} isHeld />;
  return undecidedWords(record) === null ? undefined : <FullAutoLine record={record} />;
}

function FullAutoLine({ record }: { record: ShownImport }) {
  const nowMs = useNow();
  const planned = plannedPushWords(record, nowMs) ?? undecidedWords(record);
  const words = useNoPushWorker(true) ? noWorkerWords(record, nowMs) : planned;
  return (
    <Hint text={words} maw={420}>
      <Text {...captionProps}>{words}</Text>
    </Hint>
  );
}

type ReasonProps = { record: ShownImport; sentence: string; isHeld?: boolean };

/** A sentence in one line. The whole sentence is shown on hover and focus. */
function Reason({ record, sentence, isHeld = false }: ReasonProps) {
  const reportPath = useReportPath();
  const isPush = record.status === 'failed' && record.failedIn === 'push';
  return (
    <Hint text={sentence} maw={420}>
      <Link
        {...useTabStop()}
        to={isPush ? reportPath(record.id) : importPath(record.id)}
        className={`row ${classes.reason} gap-tight bad size-xs`}
        data-reason
        data-wide={record.status === 'completed' ? undefined : true}
        data-held={isHeld || undefined}
      >
        {isHeld ? <IconEye size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}
        <span className="ellipsis">{sentence}</span>
      </Link>
    </Hint>
  );
}
