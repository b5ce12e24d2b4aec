import { fileSize } from '@draftshelf/domain/base/format';
import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { photosMax } from '@draftshelf/domain/scanner/scanned-product';
import { sha256 } from '../../../lib/sha256.ts';

/** The specification's limit. */
export const chosenPhotosMax = 5;

/** Named types make iPhones and Macs convert HEIC to JPEG. */
export const acceptedTypes = 'image/jpeg,image/png,image/webp,image/gif';

export type Phase =
  | { phase: 'chosen' }
  | { phase: 'preparing' }
  | { phase: 'sending'; bytes: number; ofBytes: number }
  | { phase: 'sent' }
  /** It can be sent again. */
  | { phase: 'failed'; reason: string }
  /** It is not sent. */
  | { phase: 'refused'; reason: string };

/** `sha256` null: the file is no photo. */
export type HashedFile = { file: File; sha256: string | null };

export type ChosenPhoto = HashedFile & { id: number; state: Phase };

/** With the hash of the file if it was chosen just now. */
export type PresentPhotos = readonly { sha256?: string | null }[];

export type ChosenPhotosAction =
  | { kind: 'choose'; files: readonly HashedFile[]; present: PresentPhotos }
  | { kind: 'move'; id: number; to: Phase }
  | { kind: 'remove'; id: number };

const isAccepted = ({ state }: ChosenPhoto) => state.phase !== 'refused';
export const isWaiting = ({ state }: ChosenPhoto) => state.phase === 'chosen' || state.phase === 'failed';
export const isRunning = ({ state }: ChosenPhoto) => state.phase === 'preparing' || state.phase === 'sending';

export function chosenPhotosReducer(
  photos: readonly ChosenPhoto[],
  action: ChosenPhotosAction,
): readonly ChosenPhoto[] {
  switch (action.kind) {
    case 'choose': {
      const list = [...photos];
      for (const file of action.files) {
        const reason = refusalOf(file, list, action.present);
        const state: Phase = reason === null ? { phase: 'chosen' } : { phase: 'refused', reason };
        list.push({ id: (list.at(-1)?.id ?? 0) + 1, ...file, state });
      }
      return list;
    }
    case 'move':
      return photos.map((photo) => (photo.id === action.id ? { ...photo, state: action.to } : photo));
    case 'remove':
      return photos.filter(({ id }) => id !== action.id);
  }
}

/** Null: the file is accepted. */
function refusalOf(
  { file, sha256: hash }: HashedFile,
  list: readonly ChosenPhoto[],
  present: PresentPhotos,
): string | null {
  const refusal = fileRefusal(file);
  if (refusal !== null) return refusal;
  const acceptedPhotos = list.filter(isAccepted);
  if (acceptedPhotos.some((photo) => photo.sha256 === hash)) return 'This file is already in the list.';
  if (present.some((photo) => photo.sha256 === hash)) return 'The product has this photo already.';
  if (acceptedPhotos.length >= chosenPhotosMax) return `Upload at most ${chosenPhotosMax} photos at a time.`;
  const coming = acceptedPhotos.filter(({ state }) => state.phase !== 'sent').length;
  if (present.length + coming >= photosMax) return `A product has at most ${photosMax} photos.`;
  return null;
}

/** Null: the file may be a photo. */
export function fileRefusal({ type, size }: File): string | null {
  if (type !== '' && !type.startsWith('image/')) return 'Use a JPEG, PNG, WebP or GIF picture.';
  return size > photoBytesMax ? `The photo is larger than ${fileSize(photoBytesMax)}.` : null;
}

/** The bytes identify a photo: a camera's copy has another name and time. */
export async function hashFiles(files: readonly File[]): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  for (const file of files)
    hashed.push({ file, sha256: fileRefusal(file) === null ? await hashOf(file) : null });
  return hashed;
}

async function hashOf(file: File): Promise<string> {
  const hash = sha256();
  hash.push(new Uint8Array(await file.arrayBuffer()));
  return hash.hex();
}
