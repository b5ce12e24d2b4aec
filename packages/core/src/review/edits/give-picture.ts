import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { picturesOf } from '@draftshelf/domain/products/images';
import type { Db } from '../../connection/database.ts';
import { findPicturePhoto, storeChoice } from '../../enrich/file-pictures.ts';
import { lockImport } from '../../imports/imports.ts';
import { currentRows } from '../../work/runs.ts';
import type { NewCommand } from '../commands/edit-commands.ts';
import { readRowsByNumber } from '../effective-rows.ts';
import { lockRows } from '../rows-lock.ts';
import { type EditResult, editRows } from './edits.ts';

/**
 * Adds a picture of an import's file to a row by an edit. `run` numbered the row. Undefined if there is none to read.
 */
export async function givePicture(
  db: Db,
  importId: string,
  { n, row, run }: { n: number; row: number; run: number },
  author: NewCommand['author'],
): Promise<EditResult | undefined> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  const photo = await findPicturePhoto(db, importId, n);
  if (!record || photo === undefined) return undefined;
  if (record.rows_run !== run) return { ok: false, reason: 'read again' };
  const of = currentRows(record);
  const [before] = await readRowsByNumber(db, of, [row]);
  const { image = null, moreImages = null } = before?.values ?? {};
  const hasImage = picturesOf({ image: image ?? '' }).length > 0;
  const address = photoAddress(photo);
  const values = hasImage
    ? { moreImages: moreImages === null ? address : `${moreImages}\n${address}` }
    : { image: address };
  const change = { row, values, expected: { image, moreImages } };
  const edited = await editRows(db, importId, { kind: 'single', author }, [change]);
  if (edited.ok) await storeChoice(db, of, { n, row });
  return edited;
}
