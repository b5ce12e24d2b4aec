import { pictureStates } from '@draftshelf/domain/enrich/pictures/picture-states';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, SuccessReply } from '../values.ts';
import { rowNumberMax } from './rows.ts';

export const picturesPageSize = 50;
const PictureNumber = z.coerce.number().int().min(0).max(rowNumberMax);

/** Lists pictures of an import's archive or workbook with a number above `after`. Without `state`: in all states. */
export const listPictures = route('listPictures', {
  query: z.object({ state: z.enum(pictureStates).optional(), after: PictureNumber.default(0) }),
  reply: z.object({
    counts: z.object({ matched: count, unmatched: count, refused: count, waiting: count, products: count }),
    pictures: z.array(
      z.object({
        n: count,
        /** The picture's path in the file. */
        entry: z.string(),
        state: z.enum(pictureStates),
        /** The URL of the photo made from the picture. Null if no photo was made. */
        photo: z.string().nullable(),
        /** The row to which the picture was matched, and that row's title. */
        row: count.nullable(),
        title: z.string().nullable(),
        /** Why the picture has no row or is not used, as a sentence. Null if it is used. */
        reason: z.string().nullable(),
      }),
    ),
    next: count.nullable(),
  }),
});

/** Streams the list of all pictures of an import's file as CSV. */
export const getPicturesCsv = route('getPicturesCsv', { reply: z.string() });

/** Adds a picture to a row, as an edit. 409 if the file was re-read since `run`. */
export const chooseProduct = route('chooseProduct', {
  params: z.object({ n: PictureNumber }),
  body: z.object({ row: z.number().int().min(1).max(rowNumberMax), run: z.number().int() }),
  /** `command`: the id for `undoEdits`. */
  reply: SuccessReply.extend({ command: z.uuid() }),
});
