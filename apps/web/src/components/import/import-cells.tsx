import { fileSize } from '@draftshelf/domain/format';
import { Anchor, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { useRowsAhead } from '../../api/rows.ts';
import { importPath } from '../../lib/paths.ts';
import { useIntent } from '../../lib/use-intent.ts';
import { tooltipDelayMs } from '../help/help-tip.tsx';
import { useReportPath } from '../report/use-report-path.ts';
import { Moment } from '../time.tsx';
import classes from './import-cells.module.css';
import { splitName } from './split-name.ts';

/** The file's name as a link to its import, in one line that keeps its end with the extension. */
export function FileLink({ job }: { job: Pick<ShownImport, 'id' | 'filename' | 'status'> }) {
  const readAhead = useRowsAhead();
  const ahead = useIntent(() => readAhead(job.id), isAtRest(job));
  const { start, end } = splitName(job.filename);
  return (
    <Anchor
      component={Link}
      to={importPath(job.id)}
      className={classes.name}
      dir="auto"
      title={job.filename}
      aria-label={job.filename}
      {...ahead}
    >
      <span className={classes.nameStart}>{start}</span>
      <span className={classes.nameEnd}>{end}</span>
    </Anchor>
  );
}

/** Rows of a file that is still being read may change until its page is opened. */
const isAtRest = ({ status }: Pick<ShownImport, 'status'>) =>
  status !== 'processing' && status !== 'uploading';

/** The file's name, and below it size and time. */
export function FileName({ job }: { job: ShownImport }) {
  return (
    <div className={classes.file}>
      <FileLink job={job} />
      <Text c="dimmed" className={`${classes.second} numbers`}>
        {fileSize(job.fileSize)} · <Moment time={job.createdAt} />
        {job.testMode && ' · test (first 3 rows)'}
      </Text>
    </div>
  );
}

/** Why an import or its last re-read failed, or cannot be shown; undefined if nothing failed or something runs. */
export function reasonOf(job: ShownImport): ReactNode | undefined {
  if (job.errorMessage === null) return undefined;
  if (!job.isUnreadable && (job.status === 'processing' || job.status === 'uploading')) return undefined;
  return <Reason job={job} sentence={job.errorMessage} />;
}

/** A link to the details, in one line. The whole sentence is shown on hover and focus. */
function Reason({ job, sentence }: { job: ShownImport; sentence: string }) {
  const reportPath = useReportPath();
  const isPush = job.status === 'failed' && job.failedIn === 'push';
  return (
    <Tooltip
      label={sentence}
      openDelay={tooltipDelayMs}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={420}
    >
      <Link
        to={isPush ? reportPath(job.id) : importPath(job.id)}
        className={classes.reason}
        data-reason
        data-wide={job.status === 'completed' ? undefined : true}
      >
        <IconAlertTriangle size={14} aria-hidden />
        <span>{sentence}</span>
      </Link>
    </Tooltip>
  );
}
