import { statusLabel } from '@draftshelf/domain/imports/import-status';
import { Badge } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import {
  completedWithLosses,
  type Look,
  outcomeLooks,
  questionLook,
  rowClassLooks,
  statusLook,
  undoLook,
  undoneLook,
} from './status-look.ts';

/** Color alone is not accessible. */
export function LookBadge({ look, word }: { look: Look; word: string }) {
  return (
    <Badge
      color={look.color}
      variant={look.variant}
      leftSection={<look.icon size={14} stroke={2} aria-hidden />}
      tt="none"
    >
      {word}
    </Badge>
  );
}

type StatusBadgeProps = {
  status: string;
  /** A completed import with losses must not look fully successful. */
  losses?: number;
  isUndoing?: boolean;
  isUndone?: boolean;
  questions?: number;
};

export function StatusBadge({ status, losses = 0, isUndoing, isUndone, questions = 0 }: StatusBadgeProps) {
  if (isUndone) return <LookBadge look={undoneLook} word="Push undone" />;
  if (status === 'uploading' && isUndoing) return <LookBadge look={undoLook} word="Undoing Push" />;
  if (questions > 0) return <LookBadge look={questionLook} word={`Needs ${countOf(questions, 'answer')}`} />;
  const look = status === 'completed' && losses > 0 ? completedWithLosses : statusLook(status);
  return <LookBadge look={look} word={statusLabel(status)} />;
}

const rowClassWords = { valid: 'Valid', warning: 'Warning', error: 'Error' } as const;

export function RowClassBadge({ rowClass }: { rowClass: keyof typeof rowClassWords }) {
  return <LookBadge look={rowClassLooks[rowClass]} word={rowClassWords[rowClass]} />;
}

/** For places without room for a badge. Each class has an icon of its own shape. */
export function RowClassIcon({ rowClass, reason }: { rowClass: keyof typeof rowClassWords; reason: string }) {
  const look = rowClassLooks[rowClass];
  return (
    <Badge
      color={look.color}
      variant={look.variant}
      circle
      size="md"
      title={`${rowClassWords[rowClass]}. ${reason}`}
      styles={{ label: { display: 'grid' } }}
    >
      <look.icon size={14} stroke={2} aria-hidden />
      <span className="visually-hidden">{rowClassWords[rowClass]}</span>
    </Badge>
  );
}

export const outcomeWords = {
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  failed: 'Failed',
} as const;

export function UndoneBadge() {
  return <LookBadge look={undoneLook} word="Undone" />;
}

export function OutcomeBadge({ outcome }: { outcome: keyof typeof outcomeWords }) {
  return <LookBadge look={outcomeLooks[outcome]} word={outcomeWords[outcome]} />;
}
