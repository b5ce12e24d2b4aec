import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { IconClock, IconEye } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { queuePath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useReportPath } from '../../../ui/hooks/use-report-path.ts';
import { Moment } from '../../../ui/time.tsx';
import { useNoPushWorker } from '../../operate/index.ts';
import { type ShownImport, useAutoPushAnswer } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { noWorkerWords, pushedWords, undecidedWords } from '../status/auto-words.ts';

type AutoNoticeProps = {
  record: ShownImport;
  /** Null: the import cannot be pushed now. */
  beforePush: BeforePush | null;
};

/** When full-auto pushes or decides, why it does not push, or what its push has left to the operator. */
export function AutoNotice({ record, beforePush }: AutoNoticeProps) {
  const answering = useAutoPushAnswer({ now: 'Push Failed', stop: 'Couldn’t stop the push' });
  const navigate = useNavigate();
  // The answer is shown at once, so something else may be in this place when it is saved.
  const answer = (action: 'now' | 'stop') =>
    void answering.mutateAsync({ params: { id: record.id }, body: { action } }).then(
      () => action === 'now' && navigate(queuePath),
      () => {},
    );
  const isSending = (action: 'now' | 'stop') =>
    answering.isPending && answering.variables.body?.action === action;
  const pushed = pushedWords(record, beforePush);
  const isForOperator = record.autoHeld !== null || pushed !== null;
  const isForFullAuto = record.autoPushAt !== null || undecidedWords(record) !== null;
  if (!isForOperator && !isForFullAuto) return null;
  return (
    <Notice icon={isForFullAuto ? IconClock : IconEye} tone="question">
      <span id="auto-push" tabIndex={-1}>
        <AutoWords record={record} pushed={pushed} />
      </span>
      {record.autoPushAt !== null && (
        <span data-focus-next="#auto-push">
          {' '}
          <Button
            size="compact-sm"
            variant="default"
            loading={isSending('now')}
            onClick={() => answer('now')}
          >
            Push Now
          </Button>{' '}
          <Button
            size="compact-sm"
            variant="default"
            loading={isSending('stop')}
            onClick={() => answer('stop')}
          >
            Stop
          </Button>
        </span>
      )}
    </Notice>
  );
}

function AutoWords({ record, pushed }: { record: ShownImport; pushed: string | null }) {
  const reportPath = useReportPath();
  const { id, autoPushAt, autoHeld } = record;
  const needsWorker = autoPushAt !== null || undecidedWords(record) !== null;
  const nowMs = useNow();
  if (useNoPushWorker(needsWorker)) return noWorkerWords(record, nowMs);
  if (autoPushAt !== null) {
    if (Date.parse(autoPushAt) <= nowMs) return 'Pushes in a moment, as drafts.';
    return (
      <>
        Pushes at <Moment time={autoPushAt} />, as drafts.
      </>
    );
  }
  if (autoHeld !== null) return autoHeld;
  return pushed === null ? undecidedWords(record) : <Link to={reportPath(id)}>{pushed}.</Link>;
}
