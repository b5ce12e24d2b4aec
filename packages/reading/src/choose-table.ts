import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { headBytesMax } from '@draftshelf/csv/detect/sniff';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import { ReadLimitError, type ReadLimits } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { converterVersion } from '@draftshelf/workbooks/container-kind';
import type { Container, FoundTable } from '@draftshelf/workbooks/open-container';

type ChosenTable = { table: ScannedTable; tables: FileTable[] };

/** Maximum number of tables that are examined. */
const lookedAtMax = 20;
const rowsMax = 200;

/**
 * Chooses the table named `name`, else the table whose columns match the most fields. Considers hidden tables only if
 * no other table has titles or prices. Throws ContainerError, with the tables' names, if no table fits.
 */
export async function chooseTable(
  container: Container,
  { limits, name }: { limits: ReadLimits; name?: string | undefined },
): Promise<ChosenTable> {
  const looks = new Map<number, Look>();
  const lookAt = async (isHidden: boolean) => {
    const tables = container.tables.filter(({ hidden }) => hidden === isHidden).slice(0, lookedAtMax);
    for (const table of tables) looks.set(table.n, await look(container, table, limits));
  };
  await lookAt(false);
  if (![...looks.values()].some(({ hasTitle, hasPrice }) => hasTitle || hasPrice)) await lookAt(true);
  const tables = container.tables.map(({ active: _, ...table }) => {
    const found = looks.get(table.n);
    const rows = table.rows === null ? null : Math.max(0, table.rows - (found?.headerLine ?? 0));
    return { ...table, rows, isList: found ? found.hasTitle && found.hasPrice : null };
  });
  const chosen = name === undefined ? likeliest(container.tables, looks) : findTable(container.tables, name);
  if (!chosen)
    throw name === undefined ? noneFits(container, looks) : createNoTableError(container.tables, name);
  return { table: toScannedTable(chosen), tables };
}

export const toScannedTable = ({ n, name, kind }: Pick<FoundTable, 'n' | 'name' | 'kind'>): ScannedTable => ({
  ...{ n, name, kind },
  converter: converterVersion,
});

/** Finds a table by name. Case is ignored if no name is equal. */
export function findTable<T extends { name: string }>(tables: readonly T[], name: string): T | undefined {
  const lower = name.toLowerCase();
  return (
    tables.find((table) => table.name === name) ?? tables.find((table) => table.name.toLowerCase() === lower)
  );
}

export function createNoTableError(
  tables: readonly Pick<FoundTable, 'name' | 'kind'>[],
  name: string,
): ContainerError {
  const [where, what] = tables[0]?.kind === 'sheet' ? ['workbook', 'sheet'] : ['archive', 'list'];
  return new ContainerError('no_list', `The ${where} has no ${what} ‘${name}’. It has: ${namesOf(tables)}.`);
}

/** Maximum number of table names in an error sentence. */
const namesMax = 10;

function namesOf(tables: readonly { name: string }[]): string {
  const names = tables.slice(0, namesMax).map(({ name }) => `‘${name}’`);
  return tables.length > namesMax ? `${names.join(', ')} …` : names.join(', ');
}

/** `headerLine`: the line of the header, or 0 for none. `error`: the reason why the table cannot be read. */
type Look = {
  score: number;
  rows: number;
  headerLine: number;
  hasTitle: boolean;
  hasPrice: boolean;
  error?: Error;
};

const nothing = { score: -1, rows: 0, headerLine: 0, hasTitle: false, hasPrice: false };
/** Fields that count double in a table's score. One of the `keys`, which distinguish products, counts double too. */
const weighty: readonly CanonicalField[] = ['title', 'price'];
const keys: readonly CanonicalField[] = ['sku', 'upc', 'itemNumber', 'tcin'];

async function look(container: Container, { n, name, kind }: FoundTable, limits: ReadLimits): Promise<Look> {
  let fields: ReadonlySet<string> = new Set();
  let rows = 0;
  let headerLine = 0;
  const reading = readFile({
    limits,
    table: toScannedTable({ n, name, kind }),
    onHeader(headers, record, sample) {
      if ((reading.dialect?.headerRecord ?? -1) >= 0) headerLine = record.line;
      fields = new Set(Object.keys(mapHeaders(headers, sample).sources));
    },
    onRow({ ignored }) {
      if (ignored === null) rows += 1;
      return rows < rowsMax ? undefined : false;
    },
  });
  try {
    for await (const piece of container.read(n, { headBytes: headBytesMax })) {
      reading.push(piece);
      if (reading.stopped) break;
    }
    reading.end();
  } catch (error) {
    const isOfTable = [NotCsvError, ReadLimitError, ContainerError].some((kind) => error instanceof kind);
    if (isOfTable) return { ...nothing, error: error as Error };
    throw error;
  }
  if (rows === 0) return nothing;
  const double = [
    ...weighty.filter((field) => fields.has(field)),
    ...keys.filter((key) => fields.has(key)).slice(0, 1),
  ];
  return {
    score: fields.size + double.length,
    rows,
    headerLine,
    hasTitle: fields.has('title'),
    hasPrice: fields.has('price'),
  };
}

function likeliest(tables: readonly FoundTable[], looks: ReadonlyMap<number, Look>): FoundTable | undefined {
  const scored = tables.flatMap((table) => {
    const found = looks.get(table.n);
    return found && found.score >= 0 ? [{ table, score: found.score, rows: table.rows ?? found.rows }] : [];
  });
  const [best] = scored.toSorted(
    (one, other) =>
      other.score - one.score ||
      other.rows - one.rows ||
      Number(other.table.active) - Number(one.table.active),
  );
  return best?.table;
}

/** Returns the error of an unreadable table, if there is one, or else an error which says that no table has rows. */
function noneFits({ kind, tables }: Container, looks: ReadonlyMap<number, Look>): Error {
  const { error } = [...looks.values()].find((one) => one.error) ?? {};
  if (error) return error;
  const where = kind === 'workbook' ? `: ${namesOf(tables)}` : '';
  return new ContainerError('no_list', `There is no header row with data below it${where}.`);
}
