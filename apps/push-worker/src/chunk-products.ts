import type { Db } from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { type EffectiveRow, readRowsOfProducts } from '@draftshelf/core/review/effective-rows';
import { withProductsOfNow } from '@draftshelf/core/scanner/store-values';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import type { BuiltProduct } from '@draftshelf/publishing/build-product';
import { PublishStopped } from '@draftshelf/publishing/publish-errors';

export const rangeOf = (chunk: ChunkRecord) => ({
  firstProduct: chunk.first_product ?? 1,
  products: chunk.products ?? 0,
});

export type Build = (grouped: readonly [number, EffectiveRow[]][]) => Promise<BuiltProduct[]>;

export const buildNumbered =
  (db: Db, of: RunOfRows, build: Build) =>
  async (numbers: readonly number[]): Promise<BuiltProduct[]> => {
    const { rows } = await withProductsOfNow(db, of, await readRowsOfProducts(db, of, numbers));
    return build([...Map.groupBy(rows, (row) => row.product)]);
  };

/** Waits for all promises also after an error, so that products being sent end. Throws the first error. */
export async function allOrFirstError<T>(
  works: readonly Promise<T>[],
  stopping: AbortController,
): Promise<T[]> {
  let first: { error: unknown } | undefined;
  const settled = await Promise.allSettled(
    works.map((one) =>
      one.catch((error: unknown) => {
        first ??= { error };
        stopping.abort(new PublishStopped());
        throw error;
      }),
    ),
  );
  if (first) throw first.error;
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
