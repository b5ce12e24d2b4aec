import { toPicture } from '@draftshelf/domain/products/images';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import { type StoredPhoto, stagePhotos } from '@draftshelf/shopify/staged-uploads';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import type { StoreSession } from './store-session.ts';

/** Opens one of our own photos. Returns null if none has this id. Throws if object storage is unavailable. */
export type OpenPhoto = (id: string) => Promise<StoredPhoto | null>;

/** A failure that no retry can fix. `message` is for the operator, `detail` is the cause. */
type Failure = { message: string; detail: string };

/** Time limit for all photos of a product, which may have 20 photos of 10 MB, at 1.2 MB/s. */
const stagingMsMax = 180_000;

/** Returns the ids of own photos that a productSet adds and that have no staged address yet. */
export function listUnstagedPhotos(
  { input: { files = [] } }: ProductSetVariables,
  staged: ReadonlyMap<string, string>,
): string[] {
  const ids = files.flatMap((file) => ('originalSource' in file ? (ownIdOf(file) ?? []) : []));
  return [...new Set(ids)].filter((id) => !staged.has(id));
}

/** Replaces own photos in a productSet by staged addresses. The draft keeps our addresses, so its hash is stable. */
export function setStagedAddresses(
  variables: ProductSetVariables,
  staged: ReadonlyMap<string, string>,
): ProductSetVariables {
  const files = variables.input.files?.map((file) => {
    const address = 'originalSource' in file ? staged.get(ownIdOf(file) ?? '') : undefined;
    return address === undefined ? file : { ...file, originalSource: address };
  });
  return files ? { ...variables, input: { ...variables.input, files } } : variables;
}

/**
 * Uploads own photos and adds their addresses to `staged`. Returns a failure, or null. Throws StoreUnavailable after
 * three minutes, the reason of an aborted `signal`, and the errors of `stagePhotos`.
 */
export async function stageOwnPhotos(
  { session, openPhoto, signal }: { session: StoreSession; openPhoto: OpenPhoto; signal?: AbortSignal },
  ids: readonly string[],
  staged: Map<string, string>,
): Promise<Failure | null> {
  const limit = AbortSignal.timeout(stagingMsMax);
  const ending = signal ? AbortSignal.any([signal, limit]) : limit;
  const photos = new Map<string, StoredPhoto>();
  for (const id of ids) {
    signal?.throwIfAborted();
    const photo = await openPhoto(id);
    if (!photo) return { message: goneSentence, detail: `photo ${id} is not in object storage` };
    photos.set(id, photo);
  }
  try {
    const addresses = await stagePhotos(session.client, photos, { signal: ending });
    for (const [id, address] of addresses) staged.set(id, address);
    return null;
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) throw new StoreUnavailable(tooSlow, { reason: 'timeout', cause: error });
    if (!(error instanceof StoreRefused) || error.scope === 'store') throw error;
    return { message: error.message, detail: error.detail };
  }
}

const goneSentence = 'A photo of this product is gone. Remove it from the product or add it again.';

const tooSlow = 'The photos of a product couldn’t be uploaded to the store within 3 minutes.';

function ownIdOf({ originalSource }: { originalSource: string }): string | null {
  const picture = toPicture(originalSource);
  return picture.kind === 'own' ? picture.id : null;
}
