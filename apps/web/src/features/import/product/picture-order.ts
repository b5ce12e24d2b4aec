import type { ShownProduct } from '@draftshelf/contract/review/rows';
import { findPictureRefusal } from '../../../ui/picture.tsx';

export const moveItem = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));

/** Returns the values of the fields 'image' and 'moreImages' for these pictures. `choosePictures` does the reverse. */
export function toPictureValues(srcs: readonly string[]): { image: string; moreImages: string } {
  const [image = '', ...more] = srcs;
  return { image, moreImages: more.join('\n') };
}

export const alreadyListedReason = 'This picture is already in the list.';

/** Returns why a picture cannot be shown, or null if it can. `byBrowser`: only the browser failed to load it. */
export function findPictureFailure(
  src: string,
  known: ShownProduct['pictures'][string] | undefined,
  isBroken: boolean,
): { reason: string | null; byBrowser: boolean } | null {
  const { state, reason = null } = known ?? {};
  const refusal = findPictureRefusal(src, { isChecked: state === 'ok', origin: location.origin });
  if (state === 'failed' || state === 'invalid' || refusal !== null)
    return { reason: reason ?? refusal, byBrowser: false };
  return isBroken ? { reason: brokenWords, byBrowser: true } : null;
}

const brokenWords =
  'Your browser couldn’t load the image. The store fetches images itself, so it may still be able to load this one.';
