import { pictureAt } from '@draftshelf/domain/images';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import { type StoredPhoto, stagePhotos } from '@draftshelf/shopify/staged-uploads';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import type { StoreSession } from './store-session.ts';

/** Opens a photo of our own; null: there is none with this id. Throws if object storage is unavailable. */
export type OpenPhoto = (id: string) => Promise<StoredPhoto | null>;

/** Variables that the store can use, or why there are none: `message` for the operator, `detail` the cause. */
type Staged = { variables: ProductSetVariables } | { message: string; detail: string };

/**
 * Uploads our own photos that a productSet adds, and puts the addresses of the uploads in their place. The draft keeps
 * our addresses, so that its hash is the same each time. Only the photos that are new in the store are uploaded.
 */
export async function stageOwnPhotos(
  { client }: StoreSession,
  openPhoto: OpenPhoto,
  variables: ProductSetVariables,
): Promise<Staged> {
  const { files = [] } = variables.input;
  const ids = new Set(files.flatMap((file) => ('originalSource' in file ? (ownIdOf(file) ?? []) : [])));
  if (ids.size === 0) return { variables };
  const photos = new Map<string, StoredPhoto>();
  for (const id of ids) {
    const photo = await openPhoto(id);
    if (!photo) return { message: goneSentence, detail: `photo ${id} is not in object storage` };
    photos.set(id, photo);
  }
  try {
    const addresses = await stagePhotos(client, photos);
    const staged = files.map((file) => {
      const address = 'originalSource' in file ? addresses.get(ownIdOf(file) ?? '') : undefined;
      return address === undefined ? file : { ...file, originalSource: address };
    });
    return { variables: { ...variables, input: { ...variables.input, files: staged } } };
  } catch (error) {
    if (!(error instanceof StoreRefused) || error.scope === 'store') throw error;
    return { message: error.message, detail: error.detail };
  }
}

const goneSentence = 'A photo of this product is gone. Remove it from the product or add it again.';

function ownIdOf({ originalSource }: { originalSource: string }): string | null {
  const picture = pictureAt(originalSource);
  return picture.kind === 'own' ? picture.id : null;
}
