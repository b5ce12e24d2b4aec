import type { Folder } from '@draftshelf/contract/folders/folders';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FoldOut } from '../../ui/feedback/fold-out.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { type Look, LookBadge } from '../import/index.ts';
import { factsLine, folderLine, questionWords } from './folder-words.ts';
import classes from './folders.module.css';

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
  /** Undefined while it loads: the lines are as high as later. */
  folder: Folder | undefined;
  /** Buttons beside the badge. */
  children?: ReactNode;
  /** The action that ends trouble with the sign-in; undefined: it is shown elsewhere, or there is none. */
  onSignIn?: (() => void) | undefined;
};

/** A watched folder: badge, one sentence, account and place, and what the operator can do. */
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

/** The server accepts one check in this time. A check without a result by then is not shown any longer. */
const checkMsMax = 10_000;

/** Asks the server to check the folder now, and says so until the result is there. */
function CheckButton({ folder }: { folder: Folder }) {
  const look = useCall('lookNow', { params: { source: folder.source }, failed: 'Couldn’t check now' });
  /** The last check when another one was asked for; undefined: none was. */
  const [checkBefore, setCheckBefore] = useState<string | null | undefined>(undefined);
  const waiting = useTimeout(() => setCheckBefore(undefined), checkMsMax);
  const isWatched = folder.state === 'ok' || folder.state === 'waiting' || folder.trouble !== null;
  if (!isWatched || folder.trouble?.action === 'sign in') return null;
  // Microsoft asks to wait: the server would refuse.
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
      {isDue && folder.trouble === null && (
        <Text size="sm" c="dimmed" role="status">
          Checking now.
        </Text>
      )}
    </>
  );
}

/** The question about files that were there before, or arrived all at once. */
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
      <Text size="sm" fw={550}>
        {words.text}
      </Text>
      <Group gap="sm">
        <Button busy={answer.isPending} onClick={() => choose('take')}>
          {words.take}
        </Button>
        <Button variant="default" busy={answer.isPending} onClick={() => choose('ignore')}>
          {words.leave}
        </Button>
      </Group>
    </Stack>
  );
}
