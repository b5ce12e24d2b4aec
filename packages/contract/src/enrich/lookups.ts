import { z } from 'zod';
import { ImportParams } from '../imports/imports.ts';
import { route } from '../route.ts';

/** 'Update Images': gives products what is known now and looks up the rest in the background. */
export const reprocessImages = route('reprocessImages', {
  params: ImportParams,
  reply: z.object({ success: z.boolean(), updatedCount: z.number().int(), message: z.string() }),
});
