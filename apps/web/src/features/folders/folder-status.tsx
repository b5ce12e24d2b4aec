import type { Folder, SignIn, WatchedFile } from '@draftshelf/contract/folders/folders';
import type { Settings } from '@draftshelf/domain/access/settings';
import { formatFileSize } from '@draftshelf/domain/base/format';
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
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { readOf } from '../../api/call.ts';
import { countOf, formatDueTime, formatMoment, joinWords } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { BodyText, Button, PlainButton, QuietText, RelativeTime, SmallText } from '../../ui/basics.tsx';
import { FoldedText, ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { TitledSection } from '../../ui/hint.tsx';
import classes from '../../ui/sections.module.css';
import { type Look, LookBadge } from '../import/index.ts';

const badgeLooks: Record<Folder['badge'], Look> = {
  'Setup Required': { icon: IconPlugConnectedX, color: 'yellow', variant: 'light' },
  Connected: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  Watching: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  Waiting: { icon: IconClock, color: 'blue', variant: 'light' },
  'Sign In Again': { icon: IconAlertTriangle, color: 'red', variant: 'light' },
  'Can’t Look': { icon: IconAlertTriangle, color: 'red', variant: 'light' },
  Off: { icon: IconPlayerPause, color: 'gray', variant: 'light' },
};

/** The badge of a folder's state. */
export const FolderBadge = ({ badge }: Pick<Folder, 'badge'>) => (
  <LookBadge look={badgeLooks[badge]} word={badge === 'Can’t Look' ? 'Can’t Check' : badge} />
);

type FolderStatusProps = {
  title: string;
  /** Undefined while the folder loads. The section then already has its final height. */
  folder: Folder | undefined;
  /** True if the settings turn the folder on. Reserves the space of the button while the folder loads. */
  isOn?: boolean;
  children?: ReactNode;
  /** Absent if the sign-in works, or if another part of the screen offers to sign in. */
  onSignIn?: (() => void) | undefined;
};

export function FolderStatus({ title, folder, isOn = false, children, onSignIn }: FolderStatusProps) {
  const isBad = folder?.state === 'trouble';
  const lineId = useId();
  // A space keeps the line's height while the folder loads.
  const facts = folder === undefined ? ' ' : describeFolderFacts(folder);
  return (
    <TitledSection
      id={`${lineId}-title`}
      title={title}
      className="panel"
      gap="xs"
      controls={
        <>
          {folder === undefined ? <Skeleton width={128} height={26} /> : <FolderBadge badge={folder.badge} />}
          {children}
          {folder === undefined && isOn && <Skeleton width={106} height={36} />}
          {folder !== undefined && <CheckButton folder={folder} />}
          {folder?.trouble?.action === 'sign in' && onSignIn !== undefined && (
            <Button onClick={onSignIn}>Sign In Again</Button>
          )}
        </>
      }
    >
      <div>
        <div
          role="status"
          tabIndex={-1}
          id={lineId}
          className={`break-words ${classes.line} size-sm ${isBad ? 'marked bad' : ''}`}
        >
          {isBad && <IconAlertTriangle size={16} aria-hidden />}
          <span>{folder === undefined ? '' : describeFolder(folder, Date.now())}</span>
        </div>
        {facts !== '' && <div className={`break-words quiet ${classes.line} size-sm`}>{facts}</div>}
      </div>
      {folder?.trouble?.cause && <FoldedText text={folder.trouble.cause} />}
      {folder !== undefined && <ArrivedFiles folder={folder} focusNext={`[id="${lineId}"]`} />}
    </TitledSection>
  );
}

/** The server accepts one check per 10 s. After this time, a check without a result is not shown as running. */
const checkMsMax = 10_000;

function CheckButton({ folder }: { folder: Folder }) {
  const look = useCall('lookNow', { params: { source: folder.source }, failed: 'Couldn’t check now' });
  /** Time of the last check before the requested one; null if there was none, undefined if no check is requested. */
  const [checkBefore, setCheckBefore] = useState<string | null | undefined>(undefined);
  const waiting = useTimeout(() => setCheckBefore(undefined), checkMsMax);
  const isWatched = folder.state === 'ok' || folder.state === 'waiting' || folder.trouble !== null;
  if (!isWatched || folder.trouble?.action === 'sign in') return null;
  // During a pause that Microsoft demands, the server would refuse the check.
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
  const words = findFilesQuestion(folder);
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
  const counts = describeFolderCounts(folder);
  const id = `files-of-${source}`;
  return (
    <TitledSection id={id} title={title} gap="xs">
      {counts !== '' && <QuietText className="numbers">{counts}</QuietText>}
      <ReadView
        of={useQuery({ ...readOf('listWatchedFiles', { params: { source } }), refetchOnMount: 'always' })}
        what="the files"
        meanwhile={<Skeleton height={40} />}
      >
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
      </ReadView>
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
          {formatFileSize(file.bytes)} · <RelativeTime time={file.at} />
        </SmallText>
      </div>
      {file.canTake && (
        <PlainButton
          className="rigid"
          size="compact-md"
          aria-label={`${importButtonLabel(file)}: ${file.name}`}
          loading={taking.isPending}
          onClick={() => taking.mutate({})}
        >
          {importButtonLabel(file)}
        </PlainButton>
      )}
    </li>
  );
}

/** Example: 'Checked at 08:30, 2 files waiting. Checks again at 09:00.' */
export function describeFolder(folder: Folder, nowMs: number): string {
  const { state, sentence, lastLook, nextLook, trouble, counts, isLooking } = folder;
  if (trouble !== null) {
    if (trouble.until === null || trouble.action === 'sign in') return sentence;
    return `${sentence.replace(/ It is tried again\.$/, '')} Tries again ${formatDueTime(trouble.until, nowMs)}.`;
  }
  if (state !== 'ok' || lastLook === null) return isLooking ? `${sentence} Checking now.` : sentence;
  const waiting = counts.waiting === 0 ? '' : `, ${countOf(counts.waiting, 'file')} waiting`;
  return `Checked at ${formatMoment(lastLook, nowMs)}${waiting}. ${nextWords(nextLook, isLooking, nowMs)}`;
}

function nextWords(nextLook: string | null, isLooking: boolean, nowMs: number): string {
  if (isLooking) return 'Checking now.';
  return `Checks again ${nextLook === null ? 'in a moment' : formatDueTime(nextLook, nowMs)}.`;
}

const readOnlyWords = {
  local: 'It’s read-only: files can’t be deleted or archived.',
  onedrive:
    'The sign-in allows reading only. To delete or archive files, turn on the setting for it, save, and sign in again.',
} as const satisfies Record<Folder['source'], string>;

const hasSignInEnded = ({ trouble }: Pick<Folder, 'trouble'>): boolean => trouble?.action === 'sign in';

/** Example: 'ada@example.com · /In'. The folder's path is left out if `sentence`, shown above, contains it. */
export function describeFolderFacts(folder: Folder): string {
  const { source, account, place, simulated, canWrite, isSignedIn, state, sentence } = folder;
  const isNamed = state !== 'ok' && place !== null && sentence.includes(place);
  const names = [isSignedIn ? account : null, isNamed ? null : place].filter((name) => name !== null);
  const notes = [
    ...(simulated && source === 'onedrive' ? ['This OneDrive is simulated on this machine.'] : []),
    ...(canWrite === false && isSignedIn && !hasSignInEnded(folder) ? [readOnlyWords[source]] : []),
  ].join(' ');
  return joinWords([names.join(' · '), notes], '. ');
}

/** Example: '12 imported · 1 refused'; empty if nothing has arrived. */
export function describeFolderCounts({ counts, existing }: Folder): string {
  const parts: [number, string][] = [
    [counts.taken, 'imported'],
    [counts.same, 'with known content'],
    [counts.refused, 'refused'],
    [counts.failed, 'not read'],
    [counts.ignored - (existing?.files ?? 0), 'ignored'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${countOf(count, 'file')} ${words}`)
    .join(' · ');
}

export function describeTimeLeft(expiresAt: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(expiresAt) - nowMs) / 60_000);
  return minutes <= 0 ? 'The code has expired.' : `Valid for another ${countOf(minutes, 'minute')}.`;
}

type Afterwards = Pick<Settings, 'deleteAfterProcess' | 'moveToArchive'>;

export const describeRights = ({ deleteAfterProcess, moveToArchive }: Afterwards): string =>
  deleteAfterProcess || moveToArchive ? 'Read, move and delete files' : 'Read files';

export const importButtonLabel = ({ state }: Pick<WatchedFile, 'state'>): string =>
  state === 'refused' || state === 'failed' ? 'Try Again' : 'Import It';

/** Returns the question about files that existed before the folder was watched or arrived all at once, or null. */
export function findFilesQuestion({
  existing,
  held,
}: Pick<Folder, 'existing' | 'held'>): { text: string; take: string; leave: string } | null {
  const files = (existing?.files ?? 0) + (held?.files ?? 0);
  if (files === 0) return null;
  const them = files === 1 ? 'It' : 'Them';
  const text =
    existing !== null
      ? `${countOf(files, 'file')} ${files === 1 ? 'was' : 'were'} there before watching began.`
      : `${countOf(files, 'new file')} arrived${files === 1 ? '' : ' at once'}. Nothing was imported yet.`;
  return { text, take: `Import ${them}`, leave: `Leave ${them}` };
}

/** Returns the sentence about the sign-in. `way` is undefined if the latest sign-in failed or is unknown. */
export function describeSignIn(
  { account, trouble }: Pick<Folder, 'account' | 'trouble'>,
  way: SignIn['way'] | undefined,
): string {
  const hasEnded = hasSignInEnded({ trouble });
  if (account === null) return hasEnded ? 'The sign-in has ended.' : 'Signed in.';
  const isApp = way === 'app' || account.startsWith('https://');
  if (hasEnded) return `The ${isApp ? 'connection to' : 'sign-in of'} ${account} has ended.`;
  return `${isApp ? 'Connected to' : 'Signed in as'} ${account}.`;
}
