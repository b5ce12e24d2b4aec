import type { ShownProduct } from '@draftshelf/contract/review/rows';
import { pictureRefusal } from '../../../lib/picture-refusal.ts';

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
