import type { ProductRow, ShownProduct } from '@draftshelf/contract/review/rows';
import { photoIdAt } from '@draftshelf/domain/base/photo-address';
import { explainUnsentAmounts } from '@draftshelf/domain/products/draft-product';
import { cleanPicture } from '@draftshelf/domain/scanner/pictures/clean-picture';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';
import { type UndoDirection, useSavedToast } from '../edits/edits-api.ts';
import { findConflict, useRowEdit } from '../rows-api.ts';
import { alreadyListedReason } from './picture-order.ts';
import { findPictureName } from './picture-strip.tsx';
import {
  applyFieldChanges,
  applySavedChanges,
  changeFieldValue,
  changePictures,
  type DialogField,
  type EditedRow,
  type FieldChanges,
  findFieldProblems,
  findLaterChanges,
  findUndoTarget,
  formatEarlierValue,
  isDialogField,
  listEditedPictures,
  readFieldText,
  replaceSavedValues,
  restoreEarlierValue,
  toEditedRow,
  toProductRequest,
  undoFieldChange,
} from './product-draft.ts';

const stepWords = { undo: 'Change undone.', redo: 'Change redone.' } as const satisfies Record<
  UndoDirection,
  string
>;

/** Unsaved input, with the saved values to which it applies. */
export type TypedProduct = {
  edited: EditedRow;
  draft: Draft;
  theirs: Readonly<Record<string, string | null>>;
  photos: ShownProduct['pictures'];
};

export type ProductForm = ReturnType<typeof useProductForm>;

/** `kept`: input that was kept when the last session ended, or null. */
export function useProductForm(
  importId: string,
  product: ShownProduct,
  row: ProductRow,
  lock: string | null,
  kept: TypedProduct | null,
) {
  const [edited, setEdited] = useState(() => kept?.edited ?? toEditedRow(row, product.first));
  const [draft, setDraft] = useState(kept?.draft ?? unchangedDraft);
  const { changes } = draft;
  const [theirs, setTheirs] = useState(kept?.theirs ?? {});
  const [sending, setSending] = useState(0);
  const [photos, setPhotos] = useState(kept?.photos ?? {});
  /** The announcement for screen readers. */
  const [said, say] = useState('');
  const pictures = listEditedPictures(edited, changes);
  const known = { ...product.pictures, ...photos };
  const edit = useRowEdit(importId);
  const showSaved = useSavedToast(importId);
  const request = toProductRequest(edited, changes);
  const [photoFailures, setPhotoFailures] = useState<readonly string[]>([]);
  const change = (next: (changes: FieldChanges) => FieldChanges, typed?: DialogField) => {
    say('');
    setDraft((now) => addUndoStep(now, next(now.changes), typed));
  };
  const addSources = (srcs: readonly string[]) =>
    change((now) => changePictures(edited, now, [...listEditedPictures(edited, now), ...srcs]));
  const settleConflict = (field: string) => setTheirs(({ [field]: _decided, ...others }) => others);
  const onConflict = (error: Error) => {
    const current = findConflict(error);
    if (current === null) return;
    setTheirs(current);
    setEdited(replaceSavedValues(edited, current));
  };
  const isConflict = edit.error !== null && findConflict(edit.error) !== null;
  return {
    importId,
    product,
    row,
    edited,
    changes,
    lock,
    problems: findFieldProblems(edited, changes),
    unsent: explainUnsentAmounts(applyFieldChanges(edited, changes)) as Partial<
      Record<DialogField | 'weight', string>
    >,
    isChanged: request !== null,
    typed: { edited, draft, theirs, photos },
    saving: edit.isPending,
    /** Null if conflicting values are the only reason why the save was refused. */
    failure: isConflict ? null : edit.error,
    /** Current values of fields that were changed elsewhere. The operator decides about each. */
    theirs,
    textOf: (field: DialogField) => readFieldText(edited, changes, field),
    undoOf: (field: DialogField) => findUndoTarget(edited, changes, field),
    set: (field: DialogField, value: string) =>
      change((now) => changeFieldValue(edited, now, field, value), field),
    pictures,
    said,
    /** May also be called while photos are being sent. */
    addPictures(srcs: readonly string[]) {
      setPhotoFailures([]);
      addSources(srcs);
    },
    /** Adds an uploaded photo. Throws the errors of `call`. */
    async addPhoto(upload: string, { name }: File) {
      const { address } = await call('addPhoto', { params: { id: importId }, body: { upload, name } });
      setPhotos((others) => ({ ...others, [address]: { state: 'ok', reason: null, name } }));
      addSources([address]);
    },
    /** Returns the reason not to add a photo, or null. Downloads only photos of the same name to compare them. */
    async photoRefusal(photo: Blob, { name }: File) {
      const named = pictures.filter((src) => photoIdAt(src) !== null && findPictureName(known, src) === name);
      return (await isAmongPhotos(photo, named)) ? alreadyListedReason : null;
    },
    photoFailures,
    setPhotoFailures,
    /** Number of photos that are being sent. A save does not include them. */
    sending,
    changeSending: (by: number) => setSending((count) => count + by),
    known,
    setPictures(srcs: readonly string[], words: string) {
      setPhotoFailures([]);
      change((now) => changePictures(edited, now, srcs));
      say(words);
    },
    undo: (field: DialogField) => change((now) => undoFieldChange(edited, now, field)),
    steps: { undo: draft.undo.length, redo: draft.redo.length },
    stepPictures(direction: UndoDirection) {
      if (lock !== null || draft[direction].length === 0) return;
      setPhotoFailures([]);
      setDraft((now) => applyPictureStep(now, direction));
      const { length } = listEditedPictures(edited, applyPictureStep(draft, direction).changes);
      say(`${stepWords[direction]} ${countOf(length, 'picture')}.`);
    },
    earlier: (field: DialogField, value: string | null) => formatEarlierValue(edited, field, value),
    goBackTo: (field: DialogField, value: string | null) =>
      change((now) => restoreEarlierValue(edited, now, field, value)),
    /** Replaces saved values by values that were saved outside of this form. */
    adopt: (stored: Record<string, string>) => setEdited(replaceSavedValues(edited, stored)),
    keepMine: settleConflict,
    takeTheirs(field: string) {
      settleConflict(field);
      if (isDialogField(field)) {
        change(({ [field]: _mine, ...others }) => others);
      }
    },
    /** Saves the changes, then calls `then`. Input that is typed during the save stays unsaved. */
    save(then: () => void) {
      if (edit.isPending || sending > 0 || lock !== null || Object.keys(theirs).length > 0) return;
      if (request === null) return then();
      const onSuccess: NonNullable<Parameters<typeof edit.mutate>[1]>['onSuccess'] = (reply) => {
        const saved = applySavedChanges(edited, request.values, reply.row);
        setEdited(saved);
        setDraft((now) => rebaseDraft(now, draft, edited, saved));
        showSaved([reply]);
        then();
      };
      // Ends the undo step, so that more typing in the same field begins another one.
      setDraft((now) => ({ ...now, typed: null }));
      edit.mutate({ row: row.row, ...request }, { onSuccess, onError: onConflict });
    },
  };
}

type PictureChanges = Pick<FieldChanges, 'image' | 'moreImages'>;

/** Changes, with undo and redo steps for the pictures. Consecutive typing in the field `typed` adds only one step. */
type Draft = Readonly<Record<UndoDirection, readonly PictureChanges[]>> & {
  changes: FieldChanges;
  typed: DialogField | null;
};

export const unchangedDraft: Draft = { changes: {}, undo: [], redo: [], typed: null };

const ofPictures = ({ image, moreImages }: FieldChanges): PictureChanges => ({
  ...(image !== undefined && { image }),
  ...(moreImages !== undefined && { moreImages }),
});

/** Replaces the changes. If the pictures differ, adds an undo step. */
export function addUndoStep(draft: Draft, changes: FieldChanges, typed: DialogField | null = null): Draft {
  const before = draft.changes;
  if (before.image === changes.image && before.moreImages === changes.moreImages)
    return { ...draft, changes };
  const isOneStep = typed !== null && typed === draft.typed;
  return { changes, undo: isOneStep ? draft.undo : [...draft.undo, ofPictures(before)], redo: [], typed };
}

export function applyPictureStep(draft: Draft, direction: UndoDirection): Draft {
  const steps = draft[direction];
  const opposite = direction === 'undo' ? 'redo' : 'undo';
  const { image: _image, moreImages: _more, ...others } = draft.changes;
  if (steps.length === 0) return draft;
  return {
    ...draft,
    changes: { ...others, ...steps.at(-1) },
    [direction]: steps.slice(0, -1),
    [opposite]: [...draft[opposite], ofPictures(draft.changes)],
    typed: null,
  };
}

/**
 * Returns the draft after the changes of `sent` to the row `before` were saved as the row `saved`. Later changes and
 * steps are rebased onto the saved row.
 */
export function rebaseDraft(now: Draft, sent: Draft, before: EditedRow, saved: EditedRow): Draft {
  const since = (changes: FieldChanges) => findLaterChanges(before, saved, changes, sent.changes);
  const left = (direction: UndoDirection) =>
    now[direction].filter((step) => !sent[direction].includes(step)).map((step) => ofPictures(since(step)));
  return { changes: since(now.changes), undo: left('undo'), redo: left('redo'), typed: now.typed };
}

/** True if an address has the same photo. Cleans the photo first, because the server stores no metadata. */
async function isAmongPhotos(photo: Blob, addresses: readonly string[]): Promise<boolean> {
  if (addresses.length === 0) return false;
  const checked = cleanPicture(await bytesOf(photo));
  if (!checked.ok) return false;
  for (const address of addresses) {
    // A stored photo that cannot be read counts as another photo.
    const reply = await fetch(address).catch(() => null);
    if (reply?.ok && isConcatenation(await bytesOf(reply), checked.picture.pieces)) return true;
  }
  return false;
}

const bytesOf = async (body: Blob | Response) => new Uint8Array(await body.arrayBuffer());

export function isConcatenation(bytes: Uint8Array, pieces: readonly Uint8Array[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    if (!piece.every((byte, at) => byte === bytes[from + at])) return false;
    from += piece.length;
  }
  return from === bytes.length;
}
