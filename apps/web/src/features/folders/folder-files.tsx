import type { Folder, WatchedFile } from '@draftshelf/contract/folders/folders';
import { fileSize } from '@draftshelf/domain/base/format';
import type { FolderKind, WatchedFileState } from '@draftshelf/domain/folders/folders';
import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleMinus,
  IconClock,
  IconCopy,
  IconHelpCircle,
  IconProgress,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { importPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { countsLine, takeWords } from './folder-words.ts';
import classes from './folders.module.css';
import { useWatchedFiles } from './folders-api.ts';

type StateLook = { icon: typeof IconCheck; tone: 'good' | 'warning' | 'bad' | 'quiet' };

const stateLooks: Record<WatchedFileState, StateLook> = {
  held: { icon: IconHelpCircle, tone: 'warning' },
  settling: { icon: IconClock, tone: 'quiet' },
  waiting: { icon: IconClock, tone: 'quiet' },
  taking: { icon: IconProgress, tone: 'quiet' },
  taken: { icon: IconCheck, tone: 'good' },
  same: { icon: IconCopy, tone: 'warning' },
  refused: { icon: IconAlertTriangle, tone: 'bad' },
  ignored: { icon: IconCircleMinus, tone: 'quiet' },
  failed: { icon: IconAlertTriangle, tone: 'bad' },
  gone: { icon: IconCircleMinus, tone: 'quiet' },
};

/** The newest files of a watched folder, each with what became of it. */
export function FolderFiles({ folder, title }: { folder: Folder; title: string }) {
  const { source } = folder;
  const counts = countsLine(folder);
  const id = `files-of-${source}`;
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Title order={3} id={id} tabIndex={-1}>
        {title}
      </Title>
      {counts !== '' && (
        <Text size="sm" c="dimmed" className="numbers">
          {counts}
        </Text>
      )}
      <Read of={useWatchedFiles(source)} what="the files" meanwhile={<Skeleton height={40} />}>
        {({ files, next }) => (
          <>
            {files.length === 0 && <Text size="sm">No files have arrived yet.</Text>}
            <ul className="list" data-focus-next={`#${id}`}>
              {files.map((file) => (
                <FileLine key={file.id} file={file} source={source} />
              ))}
            </ul>
            {next !== null && (
              <Text size="sm" c="dimmed">
                These are the {files.length} newest.
              </Text>
            )}
          </>
        )}
      </Read>
    </Stack>
  );
}

function FileLine({ file, source }: { file: WatchedFile; source: FolderKind }) {
  const taking = useCall('takeWatchedFile', {
    params: { source, id: file.id },
    failed: 'Couldn’t import the file',
  });
  const { icon: Icon, tone } = stateLooks[file.state];
  return (
    <li className={`${classes.file} row gap-md between pad-y-6 line-below`}>
      <div className="grow break-words">
        {file.importId === null ? (
          <Text size="sm" fw={550} dir="auto">
            {file.name}
          </Text>
        ) : (
          <Anchor component={Link} to={importPath(file.importId)} size="sm" fw={550} dir="auto">
            {file.name}
          </Anchor>
        )}
        <Text size="sm" component="div" className="marked" data-tone={tone}>
          <Icon size={16} aria-hidden />
          <span>{file.sentence}</span>
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {fileSize(file.bytes)} · <RelativeTime time={file.at} />
        </Text>
      </div>
      {file.canTake && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={`${takeWords(file)}: ${file.name}`}
          loading={taking.isPending}
          onClick={() => taking.mutate({})}
        >
          {takeWords(file)}
        </Button>
      )}
    </li>
  );
}
