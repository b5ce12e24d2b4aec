import type { Row } from '@draftshelf/contract/rows';
import { currentRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { readImages } from '@draftshelf/database/enrich/images';
import { readWaitingRows } from '@draftshelf/database/enrich/lacks';
import type { EffectiveRow } from '@draftshelf/database/rows/effective-rows';
import type { ImportRecord } from '@draftshelf/database/schema';
import { imageUrls, isAllowedHost } from '@draftshelf/domain/images';

type ImageState = NonNullable<Row['image']>;

/** Reads what is known of the pictures of rows. Returns a function that gives the state of a row's first one. */
export async function readImageStates(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
  rows: readonly EffectiveRow[],
  hosts: readonly string[],
): Promise<(row: EffectiveRow) => ImageState> {
  const checked = await readImages(
    db,
    rows.flatMap((row) => firstUrl(row) ?? []),
  );
  const without = rows.filter((row) => !row.values.image);
  const waiting = await readWaitingRows(
    db,
    currentRows(record),
    without.map(({ row }) => row),
  );
  return (row) => {
    if (!row.values.image) {
      const wait = waiting.get(row.row);
      const lookup = wait ? { until: wait.until?.toISOString() ?? null, because: wait.because } : null;
      return { state: 'none', reason: null, lookup };
    }
    const url = firstUrl(row);
    if (url === undefined) return known('invalid', 'This isn’t a web address.');
    if (!isAllowedHost(url, hosts))
      return known('invalid', `Pictures on ${new URL(url).host} aren’t allowed.`);
    const image = checked.get(url);
    if (!image) return known('unchecked', null);
    return image.state === 'ok' ? known('ok', null) : known('failed', image.reason);
  };
}

const known = (state: ImageState['state'], reason: string | null): ImageState => ({
  state,
  reason,
  lookup: null,
});

const firstUrl = ({ values }: EffectiveRow): string | undefined => imageUrls({ image: values.image })[0];
