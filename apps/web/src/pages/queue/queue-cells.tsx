import { fileSize } from '@draftshelf/domain/format';
import { Anchor, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { useRowsAhead } from '../../api/rows.ts';
import { tooltipDelayMs } from '../../components/help/help-tip.tsx';
import { sentProducts } from '../../components/import/pace.ts';
import { useReportPath } from '../../components/report/use-report-path.ts';
import { Moment, RelativeTime } from '../../components/time.tsx';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { useIntent } from '../../lib/use-intent.ts';
import { splitName } from './file-name.ts';
import classes from './queue.module.css';

/** The file's name in one line, which keeps its end with the extension, and below it size and time. */
export function FileName({ job }: { job: ShownImport }) {
  const readAhead = useRowsAhead();
  const { start, end } = splitName(job.filename);
  const ahead = useIntent(() => readAhead(job.id), isAtRest(job));
  return (
    <div className={classes.file}>
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
      <Text c="dimmed" className={`${classes.second} numbers`}>
        {fileSize(job.fileSize)} · <Moment time={job.createdAt} />
        {job.testMode && ' · test (first 3 rows)'}
      </Text>
    </div>
  );
}

/** Rows of a file that is still being read may change until its page is opened. */
const isAtRest = ({ status }: ShownImport) => status !== 'processing' && status !== 'uploading';

export function Products({ job }: { job: ShownImport }) {
  return (
    <div className={classes.products}>
      <Text className={`${classes.first} numbers`}>
        {formatCount(job.processedProducts)} of {formatCount(job.totalProducts)}
      </Text>
      <Text c="dimmed" className={`${classes.second} numbers`}>
        {pushedWords(job)}
      </Text>
    </div>
  );
}

function pushedWords(job: ShownImport): string {
  if (job.status === 'completed') return `${formatCount(job.createdProducts)} uploaded to Shopify`;
  const sent = job.status === 'uploading' ? sentProducts(job) : null;
  return sent === null ? '' : `${formatCount(sent)} sent`;
}

export function Started({ job }: { job: ShownImport }) {
  return (
    <Text span className={`${classes.first} numbers`}>
      {job.startedAt === null ? '–' : <RelativeTime time={job.startedAt} />}
    </Text>
  );
}

/** Why an import or its last re-read failed; undefined if nothing failed or something runs. */
export function reasonOf(job: ShownImport): ReactNode | undefined {
  if (job.errorMessage === null || job.status === 'processing' || job.status === 'uploading')
    return undefined;
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
        data-wide={job.status === 'completed' ? undefined : true}
      >
        <IconAlertTriangle size={14} aria-hidden />
        <span>{sentence}</span>
      </Link>
    </Tooltip>
  );
}
