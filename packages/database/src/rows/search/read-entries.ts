import { optionsField, type ValueField } from '@draftshelf/domain/field-value';
import { entriesOf } from '@draftshelf/domain/text-list';
import { optionFields, optionReader, optionText } from '@draftshelf/domain/variant-options';
import type { RawBuilder, SqlBool } from 'kysely';
import { type RunOfRows, readParseRun } from '../../chunks/runs.ts';
import type { Db } from '../../connection/database.ts';
import { readCellsOfProducts } from '../effective-rows.ts';
import { fieldReader, type RowCells, selectRows, valuesReader } from './read-field.ts';

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

/** The names of options may be on any row of a product, mostly on its first. */
async function optionsReader(db: Db, of: RunOfRows): Promise<ReadEntries> {
  const { mapping } = await readParseRun(db, of);
  const fields = optionFields.flatMap(({ name, value }) => [name, value]);
  const { cells, read } = valuesReader(db, of, mapping, fields);
  return async (which) => {
    const rows = await read(await selectRows(db, of, cells, which));
    const unnamed = rows.filter(({ values }) =>
      optionFields.some(({ name, value }) => values[value] !== undefined && values[name] === undefined),
    );
    const products = [...new Set(unnamed.map(({ product }) => product))];
    const others = await read(await readCellsOfProducts<RowCells>(db, of, products, cells));
    const byProduct = Map.groupBy(others, ({ product }) => product);
    const readers = new Map(
      Array.from(byProduct, ([product, ofProduct]) => [
        product,
        optionReader(ofProduct.map(({ values }) => values)),
      ]),
    );
    return rows.map(({ row, product, values }) => {
      const entries = (readers.get(product) ?? optionReader([values]))(values).map(optionText);
      return { row, value: entries.join(', '), entries };
    });
  };
}
