import type { PrePushFacts } from '@draftshelf/contract/imports/before-push';
import { statusLabel } from '@draftshelf/domain/imports/import-status';
import { Badge, type BadgeProps } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconCloudUpload,
  IconEye,
  IconHelpCircle,
  IconPlayerPause,
  IconProgress,
  IconX,
} from '@tabler/icons-react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

export type Look = { icon: typeof IconCheck; color: string; variant: 'light' | 'outline' };

/** Icons and colors of statuses. The labels are in `statusLabel` of the domain. */
const statusLooks: Record<string, Look> = {
  processing: { icon: IconProgress, color: 'blue', variant: 'light' },
  queued: { icon: IconEye, color: 'yellow', variant: 'light' },
  processed: { icon: IconCircleCheck, color: 'green', variant: 'outline' },
  uploading: { icon: IconCloudUpload, color: 'blue', variant: 'light' },
  completed: { icon: IconCheck, color: 'green', variant: 'light' },
  failed: { icon: IconAlertTriangle, color: 'red', variant: 'light' },
  paused: { icon: IconPlayerPause, color: 'gray', variant: 'light' },
  cancelled: { icon: IconBan, color: 'gray', variant: 'light' },
};

const unknownLook: Look = { icon: IconHelpCircle, color: 'gray', variant: 'outline' };

export const statusLook = (status: string): Look =>
  Object.hasOwn(statusLooks, status) ? (statusLooks[status] ?? unknownLook) : unknownLook;

export const lossesLook: Look = { icon: IconAlertTriangle, color: 'yellow', variant: 'light' };

export const questionLook: Look = { icon: IconHelpCircle, color: 'yellow', variant: 'light' };

export const undoLook: Look = { icon: IconArrowBackUp, color: 'blue', variant: 'light' };

/** A row's class follows from the row's title and price. */
export const rowClassLooks = {
  valid: { word: 'Valid', icon: IconCheck, color: 'green', variant: 'light' },
  warning: { word: 'Warning', icon: IconAlertTriangle, color: 'yellow', variant: 'light' },
  error: { word: 'Error', icon: IconX, color: 'red', variant: 'light' },
} as const satisfies Record<string, Look & { word: string }>;

export const outcomeLooks = {
  created: { word: 'Created', icon: IconCheck, color: 'green', variant: 'light' },
  updated: { word: 'Updated', icon: IconCheck, color: 'green', variant: 'light' },
  unchanged: { word: 'Unchanged', icon: IconCircleCheck, color: 'gray', variant: 'light' },
  skipped: { word: 'Skipped', icon: IconBan, color: 'yellow', variant: 'light' },
  failed: { word: 'Failed', icon: IconAlertTriangle, color: 'red', variant: 'light' },
} as const satisfies Record<string, Look & { word: string }>;
export const undoneLook: Look = { icon: IconArrowBackUp, color: 'gray', variant: 'light' };

/** `changed`: number of rows that differ from the supplier's earlier list. Absent if the lists were not compared. */
export type PushScope = NonNullable<PrePushFacts['scope']> & { changed?: number };

/** Example: '34 of 40', '40' if all products are sent, or '12 changed' if the list was compared but no push planned. */
export function pushScopeWords({ sent, of, changed = of }: PushScope): string {
  if (sent === of && changed < of) return `${formatCount(changed)} changed`;
  return sent === of ? formatCount(sent) : `${formatCount(sent)} of ${formatCount(of)}`;
}

type Cancelled = Pick<ShownImport, 'rereading' | 'isUndoing' | 'changesGone'>;

/** Names what a cancellation ends: a re-read or an undo if one runs, else the import. */
export function cancelLabel({ rereading, isUndoing, changesGone }: Cancelled): string {
  if (changesGone) return 'Cancel Changes';
  if (isUndoing) return 'Cancel Undo';
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}

/** Shows the status by icon and word too, because color alone is not accessible. */
export const LookBadge = ({
  look,
  word,
  tt = 'none',
}: { look: Look; word: string } & Pick<BadgeProps, 'tt'>) => (
  <Badge
    color={look.color}
    variant={look.variant}
    leftSection={<look.icon size={14} stroke={2} aria-hidden />}
    tt={tt}
  >
    {word}
  </Badge>
);

type StatusBadgeProps = {
  status: string;
  /** Number of skipped and failed products. If there are any, a completed import must not look fully successful. */
  losses?: number;
  isUndoing?: boolean;
  isUndone?: boolean;
  questions?: number;
};

export function StatusBadge({ status, losses = 0, isUndoing, isUndone, questions = 0 }: StatusBadgeProps) {
  if (isUndone) return <LookBadge look={undoneLook} word="Push undone" />;
  if (status === 'uploading' && isUndoing) return <LookBadge look={undoLook} word="Undoing Push" />;
  if (questions > 0) return <LookBadge look={questionLook} word={`Needs ${countOf(questions, 'answer')}`} />;
  const look = status === 'completed' && losses > 0 ? lossesLook : statusLook(status);
  return <LookBadge look={look} word={statusLabel(status)} />;
}

type RowClass = keyof typeof rowClassLooks;

export const RowClassBadge = ({ rowClass }: { rowClass: RowClass }) => (
  <LookBadge look={rowClassLooks[rowClass]} word={rowClassLooks[rowClass].word} />
);

/** Shows a class where a badge has no room. The icons of the classes differ in shape, not only in color. */
export function RowClassIcon({ rowClass, reason }: { rowClass: RowClass; reason: string }) {
  const look = rowClassLooks[rowClass];
  return (
    <Badge
      color={look.color}
      variant={look.variant}
      circle
      size="md"
      title={`${look.word}. ${reason}`}
      styles={{ label: { display: 'grid' } }}
    >
      <look.icon size={14} stroke={2} aria-hidden />
      <span className="visually-hidden">{look.word}</span>
    </Badge>
  );
}

export const UndoneBadge = () => <LookBadge look={undoneLook} word="Undone" />;

export const OutcomeBadge = ({ outcome }: { outcome: keyof typeof outcomeLooks }) => (
  <LookBadge look={outcomeLooks[outcome]} word={outcomeLooks[outcome].word} />
);
