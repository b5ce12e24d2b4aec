import { type CanonicalField, productFields, type RowValues } from '@draftshelf/domain/base/canonical-fields';
import { optionsField, type ValueField } from '@draftshelf/domain/base/field-value';
import { entriesOf } from '@draftshelf/domain/base/text-list';
import { titleOf } from '@draftshelf/domain/products/draft-product';
import {
  hasOptionValue,
  optionFields,
  optionReader,
  optionText,
} from '@draftshelf/domain/products/variant-options';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { type RunOfRows, readParseRun } from '../../work/runs.ts';
import { productReader, productsOf } from './product-reader.ts';
import { selectRows, valuesReader } from './read-field.ts';

/** The text of a row's field ('': none), and what is counted of it. */
type RowEntries = { row: number; value: string; entries: string[] };

/** Reads what is counted of a field in some rows, without the ignored ones. */
type ReadEntries = (which: RawBuilder<SqlBool>) => Promise<RowEntries[]>;

/** Returns a function that reads a field, or all options, of the rows of a run. */
export async function entriesReader(db: Db, of: FieldRows, field: ValueField): Promise<ReadEntries> {
  if (field === optionsField) return optionsReader(db, of);
  const readField = await fieldReader(db, of, field);
  return async (which) =>
    (await readField(which)).map(({ row, value }) => ({ row, value, entries: entriesOf(field, value) }));
}

/** The titles of the products of some rows ('': none), by row number. */
export async function readProductTitles(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const readTitles = await fieldReader(db, { ...of, oneRowEach: false }, 'title');
  const titles = await readTitles(sql`row = any(${numbers}::int[])`);
  return new Map(titles.map(({ row, value }) => [row, value]));
}

/** Reads the effective values of one field ('': none) in some rows, without the ignored ones. */
type ReadField = (which: RawBuilder<SqlBool>) => Promise<{ row: number; value: string }[]>;

/** The rows of a run. `oneRowEach`: each is a product of its own. */
export type FieldRows = RunOfRows & { oneRowEach: boolean };

/**
 * Returns a function that reads a field of the rows of a run, and no more of their cells than it needs. All rows of a
 * product have the values of its first row in fields that a product has once.
 */
async function fieldReader(db: Db, of: FieldRows, field: CanonicalField): Promise<ReadField> {
  // A unit is that of a weight, and the cell of the first option may hold all of them.
  const beside = field === 'weightUnit' ? 'weight' : field.startsWith('option') ? 'option1Value' : field;
  const fields: CanonicalField[] = [beside, field];
  const { mapping } = await readParseRun(db, of);
  const reader = valuesReader(db, of, mapping, fields);
  if (productFields.has(field) && !of.oneRowEach) return productFieldReader(db, of, field, reader);
  return async (which) =>
    (await reader.read(await selectRows(db, of, reader.cells, which))).map(({ row, values }) => ({
      row,
      value: values[field] ?? '',
    }));
}

/** A title may be on any row of a product. */
function productFieldReader(
  db: Db,
  of: RunOfRows,
  field: CanonicalField,
  reader: ReturnType<typeof valuesReader>,
): ReadField {
  const products = productReader(db, of, reader, (rows) => titleOf(rows.map(({ values }) => values)));
  return async (which) => {
    const read = await products.select(which);
    const all = productsOf(read.rows);
    const firsts = await products.readFirsts(read, all);
    const untitled = field === 'title' ? all.filter((product) => !firsts.get(product)?.values.title) : [];
    const titles = await products.readWhole(untitled);
    return read.rows.map(({ row, product }) => ({
      row,
      value: titles.get(product) ?? firsts.get(product)?.values[field] ?? '',
    }));
  };
}

/** The names of options may be on any row of a product, mostly on its first. All rows of the product have them. */
async function optionsReader(db: Db, of: RunOfRows): Promise<ReadEntries> {
  const { mapping } = await readParseRun(db, of);
  const fields = optionFields.flatMap(({ name, value }) => [name, value]);
  const products = productReader(db, of, valuesReader(db, of, mapping, fields), readerOf);
  return async (which) => {
    const read = await products.select(which);
    const { rows } = read;
    const withOptions = rows.filter(({ values }) => hasOptionValue(values));
    const firsts = await products.readFirsts(read, productsOf(withOptions));
    const unnamed = withOptions.filter(({ product, values }) => {
      const names = firsts.get(product)?.values;
      return ownOptions(values).some(({ fields: { name } }) => !names?.[name]?.trim());
    });
    const whole = await products.readWhole(productsOf(unnamed));
    const byFirst = new Map(Array.from(firsts, ([product, row]) => [product, readerOf([row])]));
    return rows.map(({ row, product, values }) => {
      const readOptions = whole.get(product) ?? byFirst.get(product) ?? ownOptions;
      const entries = readOptions(values).map(optionText);
      return { row, value: entries.join(', '), entries };
    });
  };
}

const readerOf = (rows: readonly { values: RowValues }[]) => optionReader(rows.map(({ values }) => values));

/** The options of a row as if its product had no names. */
const ownOptions = optionReader([]);
