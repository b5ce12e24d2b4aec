import { Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Button, PlainButton } from './basics.tsx';
import { ErrorPanel } from './feedback/read.tsx';
import { PlainTable } from './table/record-table.tsx';

type DraftOf<Saved, Edited> = {
  read: Saved | undefined;
  /** The edited values before the first read. */
  empty: Edited;
  /** The saved values that `edited` is compared with before the first read; absent if there are none. */
  start?: Saved;
  editedOf: (saved: Saved) => Edited;
  isSame: (edited: Edited, saved: Saved) => boolean;
  isSaving: boolean;
};

export type EditDraft<Saved, Edited> = ReturnType<typeof useDraft<Saved, Edited>>;

/** Returns an editable copy of read values. A new read replaces an unedited copy; an edited copy conflicts on save. */
export function useDraft<Saved, Edited>(of: DraftOf<Saved, Edited>) {
  const [base, setBase] = useState<Saved | null>(of.start ?? null);
  const [edited, setEdited] = useState(of.empty);
  const [conflict, setConflict] = useState<Saved | null>(null);
  const goOn = (saved: Saved, change: (now: Edited) => Edited) => {
    setBase(saved);
    setConflict(null);
    setEdited(change);
  };
  const take = (saved: Saved) => goOn(saved, () => of.editedOf(saved));
  const isDirty = base !== null && !of.isSame(edited, base);
  if (of.read !== undefined && of.read !== base && !isDirty && !of.isSaving) take(of.read);
  return {
    /** The saved values that `edited` is compared with; null before the first read without `start`. */
    base,
    edited,
    edit: (change: (now: Edited) => Edited) => setEdited(change),
    isDirty,
    /** The values that another operator has saved since the last read. */
    conflict,
    setConflict: (theirs: Saved | null) => setConflict(theirs),
    /** Replaces the edited values. */
    take,
    /** Replaces the base and keeps all edited values. */
    rebase: (saved: Saved) => goOn(saved, (now) => now),
    /** Replaces the base after a save of `sent`, and keeps edits made during the save. */
    keep: (saved: Saved, sent: Edited) => goOn(saved, (now) => (now === sent ? of.editedOf(saved) : now)),
  };
}

type SaveConflictProps = {
  title: string;
  children: ReactNode;
  isSaving: boolean;
  onSaveMine: () => void;
  onUseTheirs: () => void;
};

/** The choice after a conflict. It is shown until the save has ended, so that its buttons keep the focus. */
export const SaveConflict = ({ title, children, isSaving, onSaveMine, onUseTheirs }: SaveConflictProps) => (
  <ErrorPanel tone="warning" title={title}>
    {children}
    <Group gap="sm">
      <Button busy={isSaving} onClick={onSaveMine}>
        Save Yours
      </Button>
      <PlainButton busy={isSaving} onClick={onUseTheirs}>
        Use Theirs
      </PlainButton>
    </Group>
  </ErrorPanel>
);

export type Difference = { label: string; mine: string; theirs: string };

/** `head`: the heading of the column of fields. */
export const DifferencesTable = ({
  head,
  differences,
}: {
  head: string;
  differences: readonly Difference[];
}) => (
  <PlainTable
    label="Both values"
    records={differences}
    keyOf={({ label }) => label}
    columns={[
      { head, cell: ({ label }) => label },
      { head: 'Yours', className: 'break-words', cell: ({ mine }) => mine },
      { head: 'Saved meanwhile', className: 'break-words', cell: ({ theirs }) => theirs },
    ]}
  />
);
