import { useState } from 'react';

type DraftOf<Saved, Edited> = {
  /** What was read; undefined until then. */
  read: Saved | undefined;
  /** What is edited at first: before anything was read, or of `start`. */
  empty: Edited;
  /** What the edited values are based on at first, if nothing is read later. */
  start?: Saved;
  editedOf: (saved: Saved) => Edited;
  isSame: (edited: Edited, saved: Saved) => boolean;
  isSaving: boolean;
};

/** Values as they are edited, based on what was read or saved last. */
export type Draft<Saved, Edited> = {
  /** What the edited values are based on; null: nothing was read yet. */
  base: Saved | null;
  edited: Edited;
  edit: (change: (now: Edited) => Edited) => void;
  isDirty: boolean;
  /** What somebody else has saved meanwhile; null: nothing. */
  conflict: Saved | null;
  setConflict: (theirs: Saved | null) => void;
  /** Goes on from what is saved. The edited values are gone. */
  take: (saved: Saved) => void;
  /** Goes on from what `sent` was saved as. What was edited during the save stays. */
  keep: (saved: Saved, sent: Edited) => void;
  /** Goes on from what is saved, with all edited values. */
  rebase: (saved: Saved) => void;
};

/** Edits a copy of what was read. A copy with changes stays when it is read again: its save then finds the conflict. */
export function useDraft<Saved, Edited>(of: DraftOf<Saved, Edited>): Draft<Saved, Edited> {
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
    base,
    edited,
    edit: setEdited,
    isDirty,
    conflict,
    setConflict,
    take,
    rebase: (saved) => goOn(saved, (now) => now),
    keep: (saved, sent) => goOn(saved, (now) => (now === sent ? of.editedOf(saved) : now)),
  };
}
