import { statusLabel } from '@draftshelf/domain/import-status';
import { Badge } from '@mantine/core';
import { type Look, outcomeLooks, rowClassLooks, statusLook } from './status-look.ts';

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

export function StatusBadge({ status }: { status: string }) {
  return <LookBadge look={statusLook(status)} word={statusLabel(status)} />;
}

const rowClassWords = { valid: 'Valid', warning: 'Warning', error: 'Error' } as const;

export function RowClassBadge({ rowClass }: { rowClass: keyof typeof rowClassWords }) {
  return <LookBadge look={rowClassLooks[rowClass]} word={rowClassWords[rowClass]} />;
}

const outcomeWords = {
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  failed: 'Failed',
} as const;

export function OutcomeBadge({ outcome }: { outcome: keyof typeof outcomeWords }) {
  return <LookBadge look={outcomeLooks[outcome]} word={outcomeWords[outcome]} />;
}
