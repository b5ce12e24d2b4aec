import { getValuesSample, type ValuesSample } from '@draftshelf/contract/reading/values-sample';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readImageChecks } from '@draftshelf/core/enrich/images';
import { readSampleValues } from '@draftshelf/core/review/row-samples';
import { currentRows } from '@draftshelf/core/work/runs';
import { parseMoney } from '@draftshelf/domain/base/money';
import { type Picture, picturesOf } from '@draftshelf/domain/products/images';
import { createPriceCounter } from '@draftshelf/domain/reading/price-counts';
import { type Api, serve } from '../http/serve.ts';
import { findImportWithRows } from '../imports/read-jobs.ts';

export function serveValuesSample(api: Api): void {
  serve(api, getValuesSample, ({ params }) =>
    readInSnapshot(api.db, async (trx) => readValuesSample(trx, await findImportWithRows(trx, params.id))),
  );
}

async function readValuesSample(db: Db, record: ImportRecord): Promise<ValuesSample> {
  const rows = await readSampleValues(db, currentRows(record), record.total_rows);
  const prices = createPriceCounter();
  for (const { price, currency } of rows) {
    const amount = price === undefined ? null : parseMoney(price);
    if (amount !== null) prices.add(Number(amount.amount), currency);
  }
  const firstPictures = rows.map(({ image }) => picturesOf(image === undefined ? {} : { image })[0]);
  return {
    rows: rows.length,
    totalRows: record.total_rows,
    prices: prices.counts(),
    ...(await checkedPictures(db, firstPictures)),
  };
}

async function checkedPictures(db: Db, pictures: readonly (Picture | undefined)[]) {
  const addresses = new Set(pictures.flatMap((picture) => (picture?.kind === 'web' ? [picture.src] : [])));
  const checked = await readImageChecks(db, [...addresses]);
  const counts = { loading: 0, broken: 0, unchecked: 0, none: 0 };
  const hosts = new Map<string, number>();
  for (const picture of pictures) {
    const state = picture?.kind === 'own' ? 'ok' : checked.get(picture?.src ?? '')?.state;
    if (picture === undefined) counts.none += 1;
    else if (state === undefined) counts.unchecked += 1;
    else if (state === 'ok') counts.loading += 1;
    else {
      counts.broken += 1;
      const { host } = new URL(picture.src);
      hosts.set(host, (hosts.get(host) ?? 0) + 1);
    }
  }
  const [most] = [...hosts].sort(([, one], [, other]) => other - one);
  return { pictures: counts, brokenHost: most?.[0] ?? null };
}
