import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, RowFacet } from '@draftshelf/core/connection/schema';
import {
  type EffectiveRow,
  findLeftOutIndexes,
  findRowsOfProducts,
  readRowsByNumber,
  readRowsOfProductNumbers,
} from '@draftshelf/core/review/effective-rows';
import type { RowPosition } from '@draftshelf/core/review/product-rows';
import { countMatchingRows, type RowFilter } from '@draftshelf/core/review/search/row-filter';
import { readFilteredPage } from '@draftshelf/core/review/search/row-page';
import { currentRows, type RunOfRows } from '@draftshelf/core/work/runs';
import { isSendable } from '@draftshelf/domain/products/draft-product';
import { optionsKeyOf } from '@draftshelf/domain/products/grouping';
import { listVariantRows } from '@draftshelf/domain/products/variant-rows';
import { issuesIn } from '@draftshelf/domain/review/issue-set';

/** Maximum number of rows read at a time. The largest possible product fits. */
export const productRowsMax = 2_048;

/** Rows of a run, with their positions among the rows of their products. */
type Placed = { of: RunOfRows; rows: readonly EffectiveRow[]; places: ReadonlyMap<number, RowPosition> };

/** Returns the parent rows, whose prices are not sent. Skips products with more rows than `productRowsMax`. */
export async function readParentRows(db: Db, { of, rows, places }: Placed): Promise<Set<number>> {
  const firsts = rows.filter(({ row }) => places.get(row)?.place === 1);
  return new Set((await readProducts(db, { of, rows: firsts, places })).flatMap(parentOf));
}

/** Maps each row to the other rows with equal options. Skips products with more rows than `productRowsMax`. */
export async function readRowsWithSameOptions(
  db: Db,
  { of, rows, places }: Placed,
): Promise<Map<number, number[]>> {
  const isMarked = ({ issues }: EffectiveRow) => issuesIn(issues).includes('same-options');
  const found = new Map<number, number[]>();
  for (const ofProduct of await readProducts(db, { of, rows: rows.filter(isMarked), places })) {
    for (const alike of Map.groupBy(ofProduct, ({ values }) => optionsKeyOf(values)).values()) {
      for (const { row } of alike.filter(isMarked)) {
        found.set(
          row,
          alike.flatMap((other) => (other.row === row ? [] : [other.row])),
        );
      }
    }
  }
  return found;
}

async function readProducts(db: Db, { of, rows, places }: Placed): Promise<EffectiveRow[][]> {
  const products = new Set<number>();
  let size = 0;
  for (const { row, product } of rows) {
    const ofProduct = places.get(row)?.rows;
    if (ofProduct === undefined || products.has(product) || size + ofProduct > productRowsMax) continue;
    products.add(product);
    size += ofProduct;
  }
  const found = await readRowsOfProductNumbers(db, of, [...products]);
  return [...Map.groupBy(found, ({ product }) => product).values()];
}

function parentOf(rows: readonly EffectiveRow[]): number[] {
  const [first] = rows;
  if (first === undefined) return [];
  return listVariantRows(rows.map(({ values }) => values)).includes(first.values) ? [] : [first.row];
}

const problemRowsMax = 100;

const isParentWithoutPrice = ({ issues, leftOut }: EffectiveRow): boolean =>
  !leftOut && issuesIn(issues).includes('parent-without-price');

/** Counts products that are sent although one of their rows lacks a price. Null if some problem rows were not read. */
export async function countSentWithoutPrice(db: Db, record: ImportRecord, facets: readonly RowFacet[]) {
  const of = currentRows(record);
  const parents = countMatchingRows(facets, { issue: 'parent-without-price' });
  const problems: EffectiveRow[] = [];
  const numbers: number[] = [];
  let isWhole = true;
  const filters: RowFilter[] = [
    { class: 'needs-you' },
    // With parents, read left-out rows of all classes: a parent is not sent if all of its variants are left out.
    { class: parents > 0 ? undefined : 'needs-you', issue: 'left-out' },
  ];
  for (const filter of filters) {
    const page = await readFilteredPage(db, record, facets, { ...filter, limit: problemRowsMax });
    problems.push(...page.rows);
    if (page.later) isWhole = false;
  }
  const products = [...new Set(problems.map(({ product }) => product))];
  for (const { rows } of await findRowsOfProducts(db, of, products)) {
    if (numbers.length + rows.length > productRowsMax) isWhole = false;
    else numbers.push(...rows);
  }
  const byProduct = Map.groupBy(await readRowsByNumber(db, of, numbers), ({ product }) => product);
  const lookedAt = [...byProduct.values()].filter((rows) => rows.some((row) => row.class !== 'valid'));
  const isSent = (rows: readonly EffectiveRow[]) =>
    isSendable(
      rows.map(({ values }) => values),
      findLeftOutIndexes(rows),
    );
  const others = parents - lookedAt.filter((rows) => rows.some(isParentWithoutPrice)).length;
  const sent = lookedAt.filter(isSent).length + others;
  return isWhole || sent === 0 ? sent : null;
}
