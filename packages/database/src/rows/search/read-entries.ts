import type { RowValues } from '@draftshelf/domain/canonical-fields';
import { optionsField, type ValueField } from '@draftshelf/domain/field-value';
import { entriesOf } from '@draftshelf/domain/text-list';
import { hasOptionValue, optionFields, optionReader, optionText } from '@draftshelf/domain/variant-options';
import type { RawBuilder, SqlBool } from 'kysely';
import { type RunOfRows, readParseRun } from '../../chunks/runs.ts';
import type { Db } from '../../connection/database.ts';
import { haveMoreRows, readCellsOfProducts, readFirstCells } from '../effective-rows.ts';
import { fieldReader, type RowCells, type SelectedRow, selectRows, valuesReader } from './read-field.ts';

/** The text of a row's field ('': none), and what is counted of it. */
type RowEntries = { row: number; value: string; entries: string[] };

/** Reads what is counted of a field in some rows, without the ignored ones. */
type ReadEntries = (which: RawBuilder<SqlBool>) => Promise<RowEntries[]>;

/** Returns a function that reads a field, or all options, of the rows of a run. */
export async function entriesReader(db: Db, of: RunOfRows, field: ValueField): Promise<ReadEntries> {
  if (field === optionsField) return optionsReader(db, of);
  const readField = await fieldReader(db, of, field);
  return async (which) =>
    (await readField(which)).map(({ row, value }) => ({ row, value, entries: entriesOf(field, value) }));
}

/**
 * Rows that are looked through at a time for names that are not on the first rows of their products. A single product
 * with more rows has the names of its first row.
 */
const namingRowsMax = 20_000;

/** The options of a row, by the names that its product has. */
type ReadOptions = ReturnType<typeof optionReader>;

/** The names of options may be on any row of a product, mostly on its first. All rows of the product have them. */
async function optionsReader(db: Db, of: RunOfRows): Promise<ReadEntries> {
  const { mapping } = await readParseRun(db, of);
  const fields = optionFields.flatMap(({ name, value }) => [name, value]);
  const { cells, read } = valuesReader(db, of, mapping, fields);
  type OptionRow = Awaited<ReturnType<typeof read>>[number];
  /** Products whose first row lacks a name. Their rows may be all over the file, so they are looked through once. */
  const lookedThrough = new Map<number, ReadOptions>();
  const lookThrough = async (products: readonly number[]): Promise<void> => {
    if (products.length === 0) return;
    if (await haveMoreRows(db, of, products, namingRowsMax)) {
      if (products.length === 1) return;
      const half = Math.ceil(products.length / 2);
      await lookThrough(products.slice(0, half));
      return lookThrough(products.slice(half));
    }
    const rows = await read(await readCellsOfProducts<RowCells>(db, of, products, cells));
    for (const [product, ofProduct] of Map.groupBy(rows, (row) => row.product)) {
      lookedThrough.set(product, readerOf(ofProduct));
    }
  };
  /** Returns how options of a product are read, for some rows. `known`: rows that are the first of their product. */
  const readersOf = async (rows: readonly OptionRow[], known: readonly OptionRow[]) => {
    const first = new Map(known.map((row) => [row.product, row]));
    const others = productsOf(rows).filter((product) => !first.has(product) && !lookedThrough.has(product));
    for (const row of await read(await readFirstCells<RowCells>(db, of, others, cells))) {
      first.set(row.product, row);
    }
    const unnamed = rows.filter(({ product, values }) => {
      const names = first.get(product)?.values;
      return ownOptions(values).some(({ fields: { name } }) => !names?.[name]?.trim());
    });
    await lookThrough(productsOf(unnamed).filter((product) => !lookedThrough.has(product)));
    const byFirst = new Map(Array.from(first, ([product, row]) => [product, readerOf([row])]));
    return (product: number) => lookedThrough.get(product) ?? byFirst.get(product) ?? ownOptions;
  };
  return async (which) => {
    const selected = await selectRows(db, of, cells, which);
    const rows = await read(selected);
    const begins = beginningsIn(selected);
    const readerFor = await readersOf(
      rows.filter(({ values }) => hasOptionValue(values)),
      rows.filter(({ row }) => begins.has(row)),
    );
    return rows.map(({ row, product, values }) => {
      const entries = readerFor(product)(values).map(optionText);
      return { row, value: entries.join(', '), entries };
    });
  };
}

const readerOf = (rows: readonly { values: RowValues }[]): ReadOptions =>
  optionReader(rows.map(({ values }) => values));

/** The rows that are certainly the first of their product: the row before is there, and of another one. */
function beginningsIn(rows: readonly SelectedRow[]): Set<number> {
  const products = new Map(rows.map(({ row, product }) => [row, product]));
  const begins = rows.filter(({ row, product, joined }) => {
    const before = products.get(row - 1);
    return !joined && before !== undefined && before !== product;
  });
  return new Set(begins.map(({ row }) => row));
}

/** The options of a row as if its product had no names. */
const ownOptions = optionReader([]);

const productsOf = (rows: readonly { product: number }[]) => [...new Set(rows.map(({ product }) => product))];
