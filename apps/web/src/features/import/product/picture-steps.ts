import { cleanPicture } from '@draftshelf/domain/scanner/pictures/clean-picture';
import type { UndoDirection } from '../edits/use-undo.ts';
import type { Changes, DialogField } from './product-draft.ts';

type PictureChanges = Pick<Changes, 'image' | 'moreImages'>;

/**
 * The changes of a dialog, and those of the pictures before each of their steps that can be undone or done again.
 * `typed`: the field that the last step was typed into. All that is typed into it at once is one step.
 */
export type Draft = Readonly<Record<UndoDirection, readonly PictureChanges[]>> & {
  changes: Changes;
  typed: DialogField | null;
};

export const unchangedDraft: Draft = { changes: {}, undo: [], redo: [], typed: null };

const ofPictures = ({ image, moreImages }: Changes): PictureChanges => ({
  ...(image !== undefined && { image }),
  ...(moreImages !== undefined && { moreImages }),
});

/** The draft with other changes. Those of the pictures are a step. */
export function withStep(draft: Draft, changes: Changes, typed: DialogField | null = null): Draft {
  const before = draft.changes;
  if (before.image === changes.image && before.moreImages === changes.moreImages)
    return { ...draft, changes };
  const isOneStep = typed !== null && typed === draft.typed;
  return { changes, undo: isOneStep ? draft.undo : [...draft.undo, ofPictures(before)], redo: [], typed };
}

/** Undoes the last step of the pictures, or does it again. */
export function stepPictures(draft: Draft, direction: UndoDirection): Draft {
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

/** Whether a prepared photo is one of these, which the server keeps without their metadata. */
export async function isAmongPhotos(photo: Blob, addresses: readonly string[]): Promise<boolean> {
  if (addresses.length === 0) return false;
  const checked = cleanPicture(await bytesOf(photo));
  if (!checked.ok) return false;
  for (const address of addresses) {
    // A photo that can't be read is no reason to refuse another one.
    const reply = await fetch(address).catch(() => null);
    if (reply?.ok && isMadeOf(await bytesOf(reply), checked.picture.pieces)) return true;
  }
  return false;
}

const bytesOf = async (body: Blob | Response) => new Uint8Array(await body.arrayBuffer());

/** Whether bytes are these pieces, in order. */
export function isMadeOf(bytes: Uint8Array, pieces: readonly Uint8Array[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    if (!piece.every((byte, at) => byte === bytes[from + at])) return false;
    from += piece.length;
  }
  return from === bytes.length;
}
