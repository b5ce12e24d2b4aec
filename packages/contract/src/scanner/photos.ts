import { isStorable, notStorable } from '@draftshelf/domain/base/storable-text';
import { z } from 'zod';
import { ImportParams } from '../imports/imports.ts';
import { route } from '../route.ts';

/** An address to PUT one photo to, for 15 minutes. It becomes a product's photo when it is saved with the product. */
export const createUpload = route('createUpload', {
  reply: z.object({ uploadURL: z.string() }),
});

/**
 * Makes an upload a photo of an import, which stays until the import is deleted. Rows get it by edits. `name`: of the
 * file that it was chosen from.
 */
export const addPhoto = route('addPhoto', {
  params: ImportParams,
  body: z.object({
    upload: z.string().max(2_000),
    name: z.string().trim().min(1).max(255).refine(isStorable, notStorable),
  }),
  reply: z.object({ address: z.string() }),
});
