import type { Folder, WatchedFile } from '@draftshelf/contract/folders/folders';
import { fileSize } from '@draftshelf/domain/base/format';
import type { FolderKind, WatchedFileState } from '@draftshelf/domain/folders/folders';
import { Anchor, Group, Skeleton, Stack } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconCircleMinus,
  IconClock,
  IconCopy,
  IconHelpCircle,
  IconPlayerPause,
  IconPlugConnectedX,
  IconProgress,
} from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { importPath } from '../../lib/paths.ts';
import { Button, PlainButton } from '../../ui/button.tsx';
import { FoldOut } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import classes from '../../ui/sections.module.css';
import { BodyText, QuietText, RelativeTime, SmallText } from '../../ui/text.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { type Look, LookBadge } from '../import/index.ts';
import { countsLine, factsLine, folderLine, questionWords, takeWords } from './folder-words.ts';
import { useWatchedFiles } from './folders-api.ts';

const badgeLooks: Record<Folder['badge'], Look> = {
  'Setup Required': { icon: IconPlugConnectedX, color: 'yellow', variant: 'light' },
  Connected: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  Watching: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  Waiting: { icon: IconClock, color: 'blue', variant: 'light' },
  'Sign In Again': { icon: IconAlertTriangle, color: 'red', variant: 'light' },
  'Can’t Look': { icon: IconAlertTriangle, color: 'red', variant: 'light' },
  Off: { icon: IconPlayerPause, color: 'gray', variant: 'light' },
};

const badgeWords = (badge: Folder['badge']) => (badge === 'Can’t Look' ? 'Can’t Check' : badge);

type FolderStatusProps = {
  /** Undefined while it loads; the lines keep their height. */
  folder: Folder | undefined;
  children?: ReactNode;
  /** Undefined: there is no trouble with the sign-in, or another part offers this. */
  onSignIn?: (() => void) | undefined;
};

export function FolderStatus({ folder, children, onSignIn }: FolderStatusProps) {
  const isBad = folder?.state === 'trouble';
  const lineId = useId();
  return (
    <Stack gap="xs">
      <Group gap="sm">
        {folder === undefined ? (
          <Skeleton width={128} height={26} />
        ) : (
          <LookBadge look={badgeLooks[folder.badge]} word={badgeWords(folder.badge)} />
        )}
        {children}
        {folder !== undefined && <CheckButton folder={folder} />}
        {folder?.trouble?.action === 'sign in' && onSignIn !== undefined && (
          <Button onClick={onSignIn}>Sign In Again</Button>
        )}
      </Group>
      <div>
        <div
          role="status"
          tabIndex={-1}
          id={lineId}
          className={`break-words ${classes.line} size-sm ${isBad ? 'marked bad' : ''}`}
        >
          {isBad && <IconAlertTriangle size={16} aria-hidden />}
          <span>{folder === undefined ? '' : folderLine(folder, Date.now())}</span>
        </div>
        <div className={`break-words quiet ${classes.line} size-sm`}>
          {folder === undefined ? '' : factsLine(folder)}
        </div>
      </div>
      {folder?.trouble?.cause && <FoldOut text={folder.trouble.cause} />}
      {folder !== undefined && <ArrivedFiles folder={folder} focusNext={`[id="${lineId}"]`} />}
    </Stack>
  );
}

/** The server accepts one check in this time. A check without a result by then is no longer shown. */
const checkMsMax = 10_000;

function CheckButton({ folder }: { folder: Folder }) {
  const look = useCall('lookNow', { params: { source: folder.source }, failed: 'Couldn’t check now' });
  /** The last check when another one was asked for; undefined: none was. */
  const [checkBefore, setCheckBefore] = useState<string | null | undefined>(undefined);
  const waiting = useTimeout(() => setCheckBefore(undefined), checkMsMax);
  const isWatched = folder.state === 'ok' || folder.state === 'waiting' || folder.trouble !== null;
  if (!isWatched || folder.trouble?.action === 'sign in') return null;
  // Microsoft asks to wait; the server would refuse.
  if (folder.badge === 'Waiting' && folder.trouble !== null) return null;
  const isDue = checkBefore !== undefined && checkBefore === folder.lastLook;
  const onSuccess = () => {
    setCheckBefore(folder.lastLook);
    waiting.clear();
    waiting.start();
  };
  return (
    <>
      <Button
        variant={folder.trouble?.action === 'check folder' ? 'filled' : 'default'}
        busy={look.isPending || isDue}
        onClick={() => look.mutate({}, { onSuccess })}
      >
        Check Now
      </Button>
      {isDue && folder.trouble === null && <QuietText role="status">Checking now.</QuietText>}
    </>
  );
}

function ArrivedFiles({ folder, focusNext }: { folder: Folder; focusNext: string }) {
  const answer = useCall('answerExistingFiles', {
    params: { source: folder.source },
    failed: 'Couldn’t save the answer',
  });
  const words = questionWords(folder);
  if (words === null) return null;
  const choose = (action: 'take' | 'ignore') => answer.mutate({ body: { action } });
  return (
    <Stack gap="xs" className="panel" data-focus-next={focusNext}>
      <BodyText fw={550}>{words.text}</BodyText>
      <Group gap="sm">
        <Button busy={answer.isPending} onClick={() => choose('take')}>
          {words.take}
        </Button>
        <PlainButton busy={answer.isPending} onClick={() => choose('ignore')}>
          {words.leave}
        </PlainButton>
      </Group>
    </Stack>
  );
}

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

export function FolderFiles({ folder, title }: { folder: Folder; title: string }) {
  const { source } = folder;
  const counts = countsLine(folder);
  const id = `files-of-${source}`;
  return (
    <TitledSection id={id} title={title} order={3} gap="xs">
      {counts !== '' && <QuietText className="numbers">{counts}</QuietText>}
      <Read of={useWatchedFiles(source)} what="the files" meanwhile={<Skeleton height={40} />}>
        {({ files, next }) => (
          <>
            {files.length === 0 && <BodyText>No files have arrived yet.</BodyText>}
            <ul className="list" data-focus-next={`#${id}`}>
              {files.map((file) => (
                <FileLine key={file.id} file={file} source={source} />
              ))}
            </ul>
            {next !== null && <QuietText>These are the {files.length} newest.</QuietText>}
          </>
        )}
      </Read>
    </TitledSection>
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
          <BodyText fw={550} dir="auto">
            {file.name}
          </BodyText>
        ) : (
          <Anchor component={Link} to={importPath(file.importId)} size="sm" fw={550} dir="auto">
            {file.name}
          </Anchor>
        )}
        <BodyText component="div" className="marked" data-tone={tone}>
          <Icon size={16} aria-hidden />
          <span>{file.sentence}</span>
        </BodyText>
        <SmallText className="numbers">
          {fileSize(file.bytes)} · <RelativeTime time={file.at} />
        </SmallText>
      </div>
      {file.canTake && (
        <PlainButton
          className="rigid"
          size="compact-md"
          aria-label={`${takeWords(file)}: ${file.name}`}
          loading={taking.isPending}
          onClick={() => taking.mutate({})}
        >
          {takeWords(file)}
        </PlainButton>
      )}
    </li>
  );
}
