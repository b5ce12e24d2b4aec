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

/** A badge with icon, word and color, because color alone is not accessible. */
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
  /** With some, a completed import does not look as if all went well. */
  losses?: number;
  /** Its push is being undone. */
  isUndoing?: boolean;
  /** Its push was undone. */
  isUndone?: boolean;
  /** What the operator is asked about it, so that it is not ready yet. */
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

/** The class of a row where there is no room for a badge. Each class has an icon of its own shape. */
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

/** In place of an outcome that an undo has taken back. */
export function UndoneBadge() {
  return <LookBadge look={undoneLook} word="Undone" />;
}

export function OutcomeBadge({ outcome }: { outcome: keyof typeof outcomeWords }) {
  return <LookBadge look={outcomeLooks[outcome]} word={outcomeWords[outcome]} />;
}
