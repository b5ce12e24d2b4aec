import { IconClock, IconEye } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { type ShownImport, useAutoPushAnswer } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { useFailureToast } from '../../components/feedback/toast.tsx';
import { pushedWords } from '../../components/import/auto-words.ts';
import { Moment } from '../../components/time.tsx';
import { queuePath } from '../../lib/paths.ts';
import { useReportPath } from '../../lib/use-report-path.ts';
import { Notice } from './import-notices.tsx';

/** When full-auto pushes an import, why it does not, or what its push has left to the operator. */
export function AutoNotice({ record }: { record: ShownImport }) {
  const answering = useAutoPushAnswer();
  const failure = useFailureToast();
  const navigate = useNavigate();
  const reportPath = useReportPath();
  // Takes the focus of a button that disappears.
  const text = useRef<HTMLSpanElement>(null);
  const answer = (action: 'now' | 'stop') =>
    answering.mutate(
      { id: record.id, action },
      {
        onSuccess: () => (action === 'now' ? navigate(queuePath) : text.current?.focus()),
        onError: (error) =>
          failure.show(action === 'now' ? 'Push Failed' : 'Couldn’t Stop the Push', error.message),
      },
    );
  const isSending = (action: 'now' | 'stop') => answering.isPending && answering.variables.action === action;
  const pushed = pushedWords(record);
  if (record.autoPushAt === null && record.autoHeld === null && pushed === null) return null;
  return (
    <Notice icon={record.autoPushAt === null ? IconEye : IconClock} tone="question">
      <span ref={text} tabIndex={-1}>
        {record.autoPushAt !== null ? (
          <>
            Pushes at <Moment time={record.autoPushAt} />, as drafts.
          </>
        ) : (
          (record.autoHeld ?? <Link to={reportPath(record.id)}>{pushed}.</Link>)
        )}
      </span>
      {record.autoPushAt !== null && (
        <>
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
        </>
      )}
    </Notice>
  );
}
