import { z } from 'zod';
import { route } from '../route.ts';

/** An address to PUT one photo to, for 15 minutes. It becomes a product's photo when it is saved with the product. */
export const createUpload = route('createUpload', {
  reply: z.object({ uploadURL: z.string() }),
});
