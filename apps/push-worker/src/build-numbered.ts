import type { Db } from '@draftshelf/core/connection/database';
import { type EffectiveRow, readRowsOfProducts } from '@draftshelf/core/review/effective-rows';
import { withProductsOfNow } from '@draftshelf/core/scanner/store-values';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import type { BuiltProduct } from '@draftshelf/publishing/build-product';

export type Build = (grouped: readonly [number, EffectiveRow[]][]) => Promise<BuiltProduct[]>;

export const buildNumbered =
  (db: Db, of: RunOfRows, build: Build) =>
  async (numbers: readonly number[]): Promise<BuiltProduct[]> => {
    const { rows } = await withProductsOfNow(db, of, await readRowsOfProducts(db, of, numbers));
    return build([...Map.groupBy(rows, (row) => row.product)]);
  };
