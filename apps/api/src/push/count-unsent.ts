import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { countUnsentRows, readUnsentRows } from '@draftshelf/core/push/push-counts';
import {
  type EffectiveRow,
  findRowsOfProducts,
  leftOutOf,
  readRowsByNumber,
} from '@draftshelf/core/review/effective-rows';
import type { RowFacet } from '@draftshelf/core/review/row-facets';
import { countMatching } from '@draftshelf/core/review/search/row-filter';
import { currentRows } from '@draftshelf/core/work/runs';
import { buildDraftProduct } from '@draftshelf/domain/products/draft-product';
import { refusalOf } from '@draftshelf/domain/review/store-limits';
import { productRowsMax } from '../review/parent-rows.ts';

/**
 * Products of which all rows are left out of the push, those of them that lack a title or a price, and valid products
 * that are not sent; null: not known.
 */
type Unsent = { leftOut: number | null; leftOutProblems: number | null; valid: number | null };

/**
 * The products that a push would not send, because they are left out or the store would refuse them. `refused`: valid
 * products with the latter. Exact for any number of rows if each is a product of its own. Products with several rows
 * are read if some are left out. `isPartial`: they are of a list of prices and stock.
 */
export async function countUnsent(
  db: Db,
  record: ImportRecord,
  facets: readonly RowFacet[],
  { refused, isGrouped, isPartial }: { refused: number; isGrouped: boolean; isPartial: boolean },
): Promise<Unsent> {
  const of = currentRows(record);
  const leftOut = countMatching(facets, { issue: 'left-out' });
  if (leftOut === 0) return { leftOut, leftOutProblems: 0, valid: refused };
  if (!isGrouped) {
    const leftOutProblems = countMatching(facets, { class: 'needs-you', issue: 'left-out' });
    return { leftOut, leftOutProblems, valid: await countUnsentRows(db, of) };
  }
  const unknown = { leftOut: null, leftOutProblems: null, valid: null };
  const numbers = await readUnsentRows(db, of);
  if (numbers === null) return unknown;
  const products = [...new Set((await readRowsByNumber(db, of, numbers)).map(({ product }) => product))];
  const all = (await findRowsOfProducts(db, of, products)).flatMap(({ rows }) => rows);
  if (all.length > productRowsMax) return unknown;
  const byProduct = Map.groupBy(await readRowsByNumber(db, of, all), ({ product }) => product);
  const ends = [...byProduct.values()].map((rows) => ({
    end: endOf(rows, isPartial),
    isValid: rows.every(isValid),
  }));
  return {
    leftOut: ends.filter(({ end }) => end === 'left-out').length,
    leftOutProblems: ends.filter(({ end, isValid }) => !isValid && end === 'left-out').length,
    valid: ends.filter(({ end, isValid }) => isValid && end !== 'sent').length,
  };
}

const isValid = ({ class: name }: EffectiveRow): boolean => name === 'valid';

function endOf(rows: readonly EffectiveRow[], isPartial: boolean): 'sent' | 'left-out' | 'refused' {
  const values = rows.map((row) => row.values);
  const options = { draftMode: true, importSource: '', currency: '', isPartial };
  const built = buildDraftProduct(values, options, leftOutOf(rows));
  if (built.ok) return refusalOf(built.product) === null ? 'sent' : 'refused';
  return built.reason === 'Left out of the push' ? 'left-out' : 'refused';
}
