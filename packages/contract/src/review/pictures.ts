import { pictureStates } from '@draftshelf/domain/enrich/pictures/picture-states';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, Done } from '../values.ts';
import { rowNumberMax } from './rows.ts';

export const picturesPageSize = 50;
const PictureNumber = z.coerce.number().int().min(0).max(rowNumberMax);

/** The pictures of an import's archive or workbook, by number after `after`; with `state` only those. */
export const listPictures = route('listPictures', {
  query: z.object({ state: z.enum(pictureStates).optional(), after: PictureNumber.default(0) }),
  reply: z.object({
    counts: z.object({ matched: count, unmatched: count, refused: count, waiting: count, products: count }),
    pictures: z.array(
      z.object({
        n: count,
        /** Its path in the file. */
        entry: z.string(),
        state: z.enum(pictureStates),
        /** The address of its photo; null: there is none. */
        photo: z.string().nullable(),
        /** The row that it was matched to, and the title of that row. */
        row: count.nullable(),
        title: z.string().nullable(),
        /** The reason, as a sentence, why it has no row or is not used. */
        reason: z.string().nullable(),
      }),
    ),
    next: count.nullable(),
  }),
});

/** All pictures of an import's file, as CSV. */
export const getPicturesCsv = route('getPicturesCsv', { reply: z.string() });

/** Adds a picture to a row by an edit. 409 if the file was read again since `run`. */
export const chooseProduct = route('chooseProduct', {
  params: z.object({ n: PictureNumber }),
  body: z.object({ row: z.number().int().min(1).max(rowNumberMax), run: z.number().int() }),
  /** `command`: the id of the edit, to undo it. */
  reply: Done.extend({ command: z.uuid() }),
});
