import type { Row, ShownProduct } from '@draftshelf/contract/review/rows';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readPhotoNames } from '@draftshelf/core/enrich/file-pictures';
import { readImageChecks } from '@draftshelf/core/enrich/images';
import { readWaitingRows } from '@draftshelf/core/enrich/lacks';
import type { EffectiveRow } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { isAllowedHost, listWebPictures, type Picture, picturesOf } from '@draftshelf/domain/products/images';

type ImageState = NonNullable<Row['image']>;

export async function readImageStates(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
  rows: readonly EffectiveRow[],
  hosts: readonly string[],
): Promise<(row: EffectiveRow) => ImageState> {
  const first = rows.flatMap(({ values }) => listWebPictures({ image: values.image }).slice(0, 1));
  const checked = await readImageChecks(db, first);
  const without = rows.filter((row) => !row.values.image).map(({ row }) => row);
  const waiting = await readWaitingRows(db, currentRows(record), without);
  return (row) => {
    if (!row.values.image) {
      const wait = waiting.get(row.row);
      const lookup = wait ? { until: wait.until?.toISOString() ?? null, because: wait.because } : null;
      return { state: 'none', reason: null, lookup };
    }
    const [picture] = picturesOf({ image: row.values.image });
    return { ...knownOf(picture, checked, hosts), lookup: null };
  };
}

export async function readPictures(
  db: Db,
  importId: string,
  rows: readonly EffectiveRow[],
  hosts: readonly string[],
): Promise<ShownProduct['pictures']> {
  const pictures = rows.flatMap(({ values }) => picturesOf(values));
  const own = pictures.flatMap((picture) => (picture.kind === 'own' ? picture.id : []));
  const names = await readPhotoNames(db, importId, own);
  const web = rows.flatMap(({ values }) => listWebPictures(values));
  const checked = await readImageChecks(db, web);
  return Object.fromEntries(
    pictures.map((picture) => [
      picture.src,
      { ...knownOf(picture, checked, hosts), name: names.get(picture.src) },
    ]),
  );
}

type Checked = Awaited<ReturnType<typeof readImageChecks>>;

function knownOf(picture: Picture | undefined, checked: Checked, hosts: readonly string[]) {
  if (picture === undefined) return known('invalid', 'This isn’t a web address.');
  // Our own photos were checked when they were stored.
  if (picture.kind === 'own') return known('ok', null);
  if (!isAllowedHost(picture, hosts))
    return known('invalid', `Pictures on ${new URL(picture.src).host} aren’t allowed.`);
  const image = checked.get(picture.src);
  if (!image) return known('unchecked', null);
  return image.state === 'ok' ? known('ok', null) : known('failed', image.reason);
}

const known = (state: ImageState['state'], reason: string | null) => ({ state, reason });
