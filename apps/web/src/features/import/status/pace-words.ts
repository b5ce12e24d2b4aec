import { countOf, formatClock, formatCount, formatMoment, joinWords } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

export type PacedImport = Pick<ShownImport, 'waitingFor' | 'waitingUntil' | 'pace' | 'isUndoing'>;

type Pace = NonNullable<ShownImport['pace']>;

/** '401 of 900 sent' or undone; '' unless a push runs or is paused. */
export function sentWords({ pace, isUndoing }: PacedImport): string {
  if (pace?.stage !== 'push') return '';
  return `${formatCount(pace.done)} of ${formatCount(pace.total)} ${doneWord(isUndoing)}`;
}

const doneWord = (isUndoing: boolean) => (isUndoing ? 'undone' : 'sent');

/** '17/s · ready 12:46', or the reason for no rate; '' while unknown. */
export function paceWords(
  { pace, isUndoing }: PacedImport,
  nowMs: number,
  { hasNoWorker }: { hasNoWorker: boolean },
): string {
  if (pace === null) return '';
  switch (pace.state) {
    case 'running':
      return joinWords([rateWords(pace), readyWords(pace, nowMs), sharedWords(pace)]);
    case 'starting':
      return joinWords(['Starting', readyWords(pace, nowMs)]);
    case 'behind':
      return joinWords(['Waiting: other imports go first', readyWords(pace, nowMs)]);
    case 'stalled': {
      if (hasNoWorker) return 'No push worker is running';
      const verb = pace.stage === 'push' ? doneWord(isUndoing) : 'read';
      return pace.stalledSince === null
        ? ''
        : `Nothing ${verb} since ${formatMoment(pace.stalledSince, nowMs)}`;
    }
    case 'ending':
      return 'Finishing';
    default:
      return '';
  }
}

/** Null: the import does not wait. */
export function waitingWords({ waitingFor, waitingUntil, pace }: PacedImport, nowMs: number): string | null {
  if (waitingFor === null) return null;
  if (waitingUntil === null) return waitingFor;
  const ready = pace === null ? '' : readyWords(pace, nowMs);
  return `${waitingFor} Resumes at ${formatClock(waitingUntil)}${ready === '' ? '' : `, ${ready}`}.`;
}

function rateWords({ perSecond }: Pace): string {
  if (perSecond === null) return '';
  if (perSecond < 1) return `${formatCount(Math.max(1, Math.round(perSecond * 60)))}/min`;
  return `${formatCount(perSecond)}/s`;
}

/** Last, because the end is cut first. */
const sharedWords = ({ sharedWith }: Pace) =>
  sharedWith === 0 ? '' : `shared with ${countOf(sharedWith, 'other')}`;

/** Up to here, seconds tell more than a time of day. */
const secondsShownMs = 120_000;

/** 'ready 12:46', 'ready in 35 s' within two minutes; '' if unknown. */
function readyWords({ readyAt }: Pace, nowMs: number): string {
  if (readyAt === null) return '';
  const leftMs = Date.parse(readyAt) - nowMs;
  if (leftMs > secondsShownMs) return `ready ${formatMoment(readyAt, nowMs)}`;
  return leftMs <= 5_000 ? 'ready in a moment' : `ready in ${5 * Math.round(leftMs / 5_000)} s`;
}
