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

/** The most rows that are looked through for names that are not on the first rows of their products. */
const namingRowsMax = 20_000;

/** The names of options may be on any row of a product, mostly on its first. All rows of the product have them. */
async function optionsReader(db: Db, of: RunOfRows): Promise<ReadEntries> {
  const { mapping } = await readParseRun(db, of);
  const fields = optionFields.flatMap(({ name, value }) => [name, value]);
  const { cells, read } = valuesReader(db, of, mapping, fields);
  type OptionRow = Awaited<ReturnType<typeof read>>[number];
  /** The rows that name the options of some rows, by product: the first, or all where it lacks a name. */
  const readNaming = async (rows: readonly OptionRow[], known: readonly OptionRow[]) => {
    const named = Map.groupBy(known, ({ product }) => product);
    const others = productsOf(rows).filter((product) => !named.has(product));
    const first = await read(await readFirstCells<RowCells>(db, of, others, cells));
    for (const row of first) named.set(row.product, [row]);
    const unnamed = productsOf(
      rows.filter(({ product, values }) => {
        const names = named.get(product)?.[0]?.values;
        return ownOptions(values).some(({ fields: { name } }) => !names?.[name]?.trim());
      }),
    );
    const isNamed = unnamed.length === 0;
    if (isNamed || (await haveMoreRows(db, of, unnamed, namingRowsMax))) return named;
    const all = await read(await readCellsOfProducts<RowCells>(db, of, unnamed, cells));
    return new Map([...named, ...Map.groupBy(all, ({ product }) => product)]);
  };
  return async (which) => {
    const selected = await selectRows(db, of, cells, which);
    const rows = await read(selected);
    const begins = beginningsIn(selected);
    const naming = await readNaming(
      rows.filter(({ values }) => hasOptionValue(values)),
      rows.filter(({ row }) => begins.has(row)),
    );
    const readers = new Map(
      Array.from(naming, ([product, ofProduct]) => [
        product,
        optionReader(ofProduct.map(({ values }) => values)),
      ]),
    );
    return rows.map(({ row, product, values }) => {
      const entries = (readers.get(product) ?? ownOptions)(values).map(optionText);
      return { row, value: entries.join(', '), entries };
    });
  };
}

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
