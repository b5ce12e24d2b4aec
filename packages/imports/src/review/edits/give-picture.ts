import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { findPicturePhoto, storeMatch } from '@draftshelf/database/enrich/file-pictures';
import type { NewCommand } from '@draftshelf/database/review/commands/edit-commands';
import { readRowsByNumber } from '@draftshelf/database/review/effective-rows';
import { currentRows } from '@draftshelf/database/work/runs';
import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { picturesOf } from '@draftshelf/domain/products/images';
import { type EditResult, editRows } from './edits.ts';

/**
 * Gives a picture of an import's file to a row, behind the pictures that it has, by an edit; in the caller's
 * transaction. Undefined: there is no such picture, or it could not be read.
 */
export async function givePicture(
  db: Db,
  record: ImportRecord,
  { n, row }: { n: number; row: number },
  author: NewCommand['author'],
): Promise<EditResult | undefined> {
  const of = currentRows(record);
  const photo = await findPicturePhoto(db, record.id, n);
  if (photo === undefined) return undefined;
  const [before] = await readRowsByNumber(db, of, [row]);
  const { image = null, moreImages = null } = before?.values ?? {};
  const hasImage = picturesOf({ image: image ?? '' }).length > 0;
  const address = photoAddress(photo);
  const values = hasImage
    ? { moreImages: moreImages === null ? address : `${moreImages}\n${address}` }
    : { image: address };
  const change = { row, values, expected: { image, moreImages } };
  const edited = await editRows(db, record.id, { kind: 'single', author }, [change]);
  if (edited.ok) await storeMatch(db, of, { n, row, reason: 'Chosen by you.' });
  return edited;
}
