import { lockHeld, markDone } from '@draftshelf/database/chunks/claim-chunk';
import { storeTaskProgress, type TaskStep } from '@draftshelf/database/chunks/tasks';
import { storeImages, uncheckedImages } from '@draftshelf/database/enrich/images';
import { lockImport } from '@draftshelf/database/imports/imports';
import { readRowPage } from '@draftshelf/database/rows/effective-rows';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import { webImages } from '@draftshelf/domain/images';
import { proposeForBadPictures } from '@draftshelf/imports/lookups/apply-answers';
import type { ImageChecker } from '@draftshelf/sources/image-checker';
import pLimit from 'p-limit';

/** Checks of a process at once. */
const checksAtOnce = 8;
/** Pictures of a part, also of one host. A part takes at most twelve seconds. */
const checkedPerPart = 16;
const checkedPerPartAndHost = 4;
const rowsPerRead = 200;

function isFull(part: ReadonlySet<string>): boolean {
  const ofHosts = Map.groupBy(part, (url) => new URL(url).host).values();
  return part.size >= checkedPerPart || ofHosts.some((urls) => urls.length >= checkedPerPartAndHost);
}

/** The task 'check-images': checks the pictures of the next rows that were not checked lately. */
export function checkImages(images: ImageChecker): TaskStep {
  const limit = pLimit(checksAtOnce);
  return async (db, chunk) => {
    const { done } = await lockHeld(db, chunk);
    const rows = await readRowPage(db, chunk, { after: done, limit: rowsPerRead });
    const unchecked = new Set(
      await uncheckedImages(
        db,
        rows.flatMap(({ values }) => webImages(values)),
      ),
    );
    const part = new Set<string>();
    let at = done;
    for (const row of rows) {
      for (const url of webImages(row.values)) if (unchecked.has(url)) part.add(url);
      at = row.row;
      if (isFull(part)) break;
    }
    const checked = await Promise.all([...part].map((url) => limit(() => images.check(url))));
    const bad = new Set(checked.flatMap((one) => (one?.state === 'bad' ? [one.url] : [])));
    const badRows = rows.filter(
      ({ row, values }) => row <= at && webImages(values).some((url) => bad.has(url)),
    );
    const isEnd = rows.length < rowsPerRead && at === (rows.at(-1)?.row ?? done);
    return db.transaction().execute(async (trx) => {
      // Products of an import are locked before its tasks.
      if (badRows.length > 0) await lockRows(trx, chunk.import_id);
      if (badRows.length > 0) await lockImport(trx, chunk.import_id);
      await lockHeld(trx, chunk);
      await storeImages(
        trx,
        checked.filter((one) => one !== null),
      );
      const withBad = badRows.map(({ row }) => row);
      if (withBad.length > 0) await proposeForBadPictures(trx, chunk, withBad);
      await storeTaskProgress(trx, chunk, at);
      if (isEnd) await markDone(trx, chunk);
      return isEnd ? 'done' : 'more';
    });
  };
}
