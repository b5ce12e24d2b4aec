import { isImageAddress } from '@draftshelf/domain/store-limits';
import { invalid } from './refusal.ts';

/**
 * The addresses under which the photos of a save are kept, in their order. Throws a 400 that names the photo if one
 * cannot be kept. It runs before the save's transaction.
 */
export async function keepPhotos(photos: readonly string[]): Promise<string[]> {
  for (const [at, photo] of photos.entries()) {
    if (!isImageAddress(photo) || !URL.canParse(photo)) {
      throw invalid('A photo needs an address that begins with https:// or http://.', `photos.${at}`);
    }
  }
  return [...photos];
}
