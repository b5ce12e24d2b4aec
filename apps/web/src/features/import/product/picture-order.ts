import type { ShownProduct } from '@draftshelf/contract/review/rows';
import { pictureRefusal } from '../../../ui/picture.tsx';

/** The list with the item of one place at another one. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));

/** The values of a row with these pictures in this order: `picturesOf` reads them back. */
export function picturesAsValues(srcs: readonly string[]): { image: string; moreImages: string } {
  const [image = '', ...more] = srcs;
  return { image, moreImages: more.join('\n') };
}

/** Why a picture is not added that the row has. */
export const alreadyListed = 'This picture is already in the list.';

/**
 * Why a picture is not shown; null if it is. `known`: by the server. `isBroken`: it did not load. `byBrowser`: nothing
 * else is known about it.
 */
export function pictureFailure(
  src: string,
  known: ShownProduct['pictures'][string] | undefined,
  isBroken: boolean,
): { reason: string | null; byBrowser: boolean } | null {
  const { state, reason = null } = known ?? {};
  const refusal = pictureRefusal(src, { isChecked: state === 'ok', origin: location.origin });
  if (state === 'failed' || state === 'invalid' || refusal !== null)
    return { reason: reason ?? refusal, byBrowser: false };
  return isBroken ? { reason: brokenWords, byBrowser: true } : null;
}

const brokenWords =
  'Your browser couldn’t load the image. The store fetches images itself, so it may have this one.';
