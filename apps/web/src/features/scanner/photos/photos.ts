import { formatFileSize } from '@draftshelf/domain/base/format';
import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { photosMax } from '@draftshelf/domain/scanner/scanned-product';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { CallError, call, NoReplyError, sendBody } from '../../../api/call.ts';

/** Maximum number of photos per upload. */
export const chosenPhotosMax = 5;

/** Lists the types instead of 'image/*', so that iPhones and Macs convert HEIC to JPEG. */
export const acceptedPhotoTypes = 'image/jpeg,image/png,image/webp,image/gif';

export type PhotoPhase =
  | { phase: 'chosen' }
  | { phase: 'preparing' }
  | { phase: 'sending'; bytes: number; ofBytes: number }
  | { phase: 'sent' }
  /** A failed photo can be sent again; a refused photo cannot. */
  | { phase: 'failed'; reason: string }
  | { phase: 'refused'; reason: string };

/** `sha256`: null if the file is no photo. */
export type HashedFile = { file: File; sha256: string | null };

export type ChosenPhoto = HashedFile & { id: number; state: PhotoPhase };

/** The photos of a product. `sha256` is known for files that were chosen in this form. */
export type ProductPhotos = readonly { sha256?: string | null }[];

export const isPhotoWaiting = ({ state }: ChosenPhoto) =>
  state.phase === 'chosen' || state.phase === 'failed';
export const isPhotoSending = ({ state }: ChosenPhoto) =>
  state.phase === 'preparing' || state.phase === 'sending';

/** Adds chosen files to a list. `present`: photos that the product already has. */
export function addFiles(
  photos: readonly ChosenPhoto[],
  files: readonly HashedFile[],
  present: ProductPhotos,
): readonly ChosenPhoto[] {
  const list = [...photos];
  for (const file of files) {
    const reason = refusalOf(file, list, present);
    const state: PhotoPhase = reason === null ? { phase: 'chosen' } : { phase: 'refused', reason };
    list.push({ id: (list.at(-1)?.id ?? 0) + 1, ...file, state });
  }
  return list;
}

/** Returns the reason why a file is not accepted; null if it is accepted. */
function refusalOf(
  { file, sha256: hash }: HashedFile,
  list: readonly ChosenPhoto[],
  present: ProductPhotos,
): string | null {
  const refusal = findFileRefusal(file);
  if (refusal !== null) return refusal;
  const acceptedPhotos = list.filter(({ state }) => state.phase !== 'refused');
  if (acceptedPhotos.some((photo) => photo.sha256 === hash)) return 'This file is already in the list.';
  if (present.some((photo) => photo.sha256 === hash)) return 'The product has this photo already.';
  if (acceptedPhotos.length >= chosenPhotosMax) return `Upload at most ${chosenPhotosMax} photos at a time.`;
  const coming = acceptedPhotos.filter(({ state }) => state.phase !== 'sent').length;
  if (present.length + coming >= photosMax) return `A product has at most ${photosMax} photos.`;
  return null;
}

/** Returns the reason why a file's type or size is not accepted; null if both are accepted. */
export function findFileRefusal({ type, size }: File): string | null {
  if (type !== '' && !type.startsWith('image/')) return 'Use a JPEG, PNG, WebP or GIF picture.';
  return size > photoBytesMax ? `The photo is larger than ${formatFileSize(photoBytesMax)}.` : null;
}

/** Hashes files. The hash identifies a photo, because a copy of a camera's photo has another name and time. */
export async function hashFiles(files: readonly File[]): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  for (const file of files)
    hashed.push({ file, sha256: findFileRefusal(file) === null ? await hashOf(file) : null });
  return hashed;
}

const hashOf = async (file: File): Promise<string> =>
  bytesToHex(sha256(new Uint8Array(await file.arrayBuffer())));

/** Maximum side of a prepared photo, in pixels. */
const preparedSideMax = 2048;
const preparedQuality = 0.85;

/** Returns the size of a prepared photo, which is at most the original's size. */
export function computeScaledSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, preparedSideMax / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Converts a photo to an upright JPEG of at most 2,048 pixels a side, without the camera's metadata. Returns the file
 * itself if the browser cannot read it, if the JPEG would be larger, or if it is a GIF, which may be animated.
 */
export async function preparePhoto(file: Blob): Promise<Blob> {
  if (file.type === 'image/gif') return file;
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (bitmap === null) return file;
  try {
    const canvas = drawScaledPhoto(bitmap, bitmap);
    const jpeg = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', preparedQuality),
    );
    return jpeg === null || jpeg.size >= file.size ? file : jpeg;
  } finally {
    bitmap.close();
  }
}

/** Draws a photo. Transparent parts become white, because JPEG has no transparency. */
export function drawScaledPhoto(
  picture: CanvasImageSource,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), computeScaledSize(size));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Converts a data URL without fetch, which the content security policy forbids for data URLs. */
export function decodeDataUrl(url: string): Blob {
  const [head = '', data = ''] = url.split(',', 2);
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? '' });
}

export class UploadAddressError extends Error {
  override readonly name = 'UploadAddressError';

  constructor(cause: unknown) {
    super('Failed to get upload URL', { cause });
  }
}

/**
 * Sends a photo to a new upload address and reports the sent bytes. Returns the address without its signature. Rejects
 * with UploadAddressError if there is no address, CallError if refused, NoReplyError if the server cannot be reached,
 * and the signal's reason if aborted.
 */
export async function sendPhoto(
  photo: Blob,
  { onSent, signal }: { onSent?: (bytes: number) => void; signal?: AbortSignal } = {},
): Promise<string> {
  const { uploadURL } = await call('createUpload', {
    emptyJson: true,
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause) => {
    throw signal?.aborted ? signal.reason : new UploadAddressError(cause);
  });
  // The signed address itself permits the upload, so no cookie is sent.
  await sendBody('PUT', uploadURL, photo, {
    onSent: (bytes) => onSent?.(Math.min(bytes, photo.size)),
    signal,
  });
  const { origin, pathname } = new URL(uploadURL, location.origin);
  return origin + pathname;
}

export function describeSendFailure(error: unknown): string {
  if (!navigator.onLine) return 'No internet connection. Try again when you’re online.';
  if (error instanceof UploadAddressError) return 'The server gave no address for the upload. Try again.';
  if (error instanceof NoReplyError) return 'The server can’t be reached. Try again.';
  if (error instanceof CallError)
    return error.serverMessage ?? `The upload failed (${error.message}). Try again.`;
  return 'The upload failed. Try again.';
}
