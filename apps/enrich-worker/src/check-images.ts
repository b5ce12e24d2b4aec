import { listUncheckedImages, storeImageChecks } from '@draftshelf/core/enrich/images';
import { proposeForBadPictures } from '@draftshelf/core/enrich/lookups/apply-answers';
import { lockImport } from '@draftshelf/core/imports/imports';
import { type EffectiveRow, readRowPage } from '@draftshelf/core/review/effective-rows';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { lockHeldChunk, markDone } from '@draftshelf/core/work/claim-chunk';
import { type CallingTask, storeTaskProgress } from '@draftshelf/core/work/tasks';
import { listWebPictures } from '@draftshelf/domain/products/images';
import type { CheckedPicture, ImageChecker } from '@draftshelf/sources/image-checker';

/** Pictures per part of the task, in total and per host. A part takes at most twelve seconds. */
const checkedPerPart = 16;
const checkedPerPartAndHost = 4;
const rowsPerRead = 200;

function isFull(part: ReadonlySet<string>): boolean {
  const ofHosts = Map.groupBy(part, (url) => new URL(url).host).values();
  return part.size >= checkedPerPart || ofHosts.some((urls) => urls.length >= checkedPerPartAndHost);
}

/** The next rows up to `at`, and their pictures without a recent check. `isEnd` is true if no rows follow. */
type Part = { rows: EffectiveRow[]; at: number; isEnd: boolean; urls: string[] };
/** `isWhole` is false if the call was stopped. The next part then checks the remaining pictures. */
type Checked = { part: Part; checked: CheckedPicture[]; isWhole: boolean };

/** Returns the task that checks pictures. Results of a stopped call are stored unless the claim is lost. */
export function createImageCheckTask(images: ImageChecker): CallingTask<Part, Checked> {
  return {
    async take(db, chunk) {
      const { done } = await lockHeldChunk(db, chunk);
      const rows = await readRowPage(db, chunk, { after: done, limit: rowsPerRead });
      const all = rows.flatMap(({ values }) => listWebPictures(values));
      const unchecked = new Set(await listUncheckedImages(db, all));
      const urls = new Set<string>();
      let at = done;
      for (const row of rows) {
        for (const url of listWebPictures(row.values)) if (unchecked.has(url)) urls.add(url);
        at = row.row;
        if (isFull(urls)) break;
      }
      const isEnd = rows.length < rowsPerRead && at === (rows.at(-1)?.row ?? done);
      return { call: { rows: rows.filter(({ row }) => row <= at), at, isEnd, urls: [...urls] } };
    },
    async call(part, signal) {
      const checked: CheckedPicture[] = [];
      let isWhole = true;
      await Promise.all(
        part.urls.map(async (url) => {
          const picture = await images.check(url, signal);
          // A stopped check has no meaningful result.
          if (signal.aborted) isWhole = false;
          else if (picture) checked.push(picture);
        }),
      );
      if (!isWhole && checked.length === 0) signal.throwIfAborted();
      return { part, checked, isWhole };
    },
    store(db, chunk, { part: { rows, at, ...part }, checked, isWhole }) {
      const isEnd = part.isEnd && isWhole;
      const bad = new Set(checked.filter(({ state }) => state === 'bad').map(({ url }) => url));
      const badRows = rows.filter(({ values }) => listWebPictures(values).some((url) => bad.has(url)));
      return db.transaction().execute(async (trx) => {
        // Lock order: the rows of an import before its tasks.
        if (badRows.length > 0) await lockRows(trx, chunk.import_id);
        if (badRows.length > 0) await lockImport(trx, chunk.import_id);
        await lockHeldChunk(trx, chunk);
        await storeImageChecks(trx, checked);
        const withBad = badRows.map(({ row }) => row);
        if (withBad.length > 0) await proposeForBadPictures(trx, chunk, withBad);
        if (isWhole) await storeTaskProgress(trx, chunk, at);
        if (isEnd) await markDone(trx, chunk);
        return isEnd ? 'done' : 'more';
      });
    },
  };
}
