import { listWebPictures } from '@draftshelf/domain/products/images';
import type { Db } from '../connection/database.ts';
import { readFoundDetails } from '../enrich/found-values.ts';
import { readBadImages } from '../enrich/images.ts';
import type { RunOfRows } from '../work/runs.ts';
import type { EffectiveRow } from './effective-rows.ts';

export async function readPictureFacts(
  db: Db,
  of: RunOfRows,
  rows: readonly Pick<EffectiveRow, 'row' | 'values'>[],
): Promise<{ bad: Map<string, string | null>; credits: Map<string, string> }> {
  const images = rows.flatMap(({ values }) => listWebPictures(values));
  const numbers = rows.map(({ row }) => row);
  const found = await readFoundDetails(db, of, numbers);
  const credited = found.flatMap(({ field, value, attribution }): [string, string][] =>
    field === 'image' && attribution !== null ? [[value, attribution]] : [],
  );
  return { bad: await readBadImages(db, images), credits: new Map(credited) };
}
