import { type RawBuilder, sql } from 'kysely';
import { storableJson } from './storable-json.ts';

type PlainType =
  | 'int'
  | 'bigint'
  | 'boolean'
  | 'float8'
  | 'text'
  | 'uuid'
  | 'timestamptz'
  | 'bytea'
  | `bit(${number})`;
const ofTexts = { 'text[]': true, json: true } as const;
type ColumnType = PlainType | keyof typeof ofTexts;
type Value =
  | string
  | number
  | boolean
  | bigint
  | Buffer
  | readonly (string | number | null)[]
  | object
  | null;

/** Returns SQL for a table of rows, with columns in the order of `types`. `byteFrom` becomes `byte_from`. */
export function unnestRows<Column extends string>(
  table: string,
  rows: readonly { readonly [column in Column]: Value }[],
  types: { readonly [column in Column]: ColumnType },
): RawBuilder<unknown> {
  const columns = Object.keys(types) as Column[];
  const arrays = columns.map((column) => {
    const type = types[column];
    const values = rows.map((row) => row[column]);
    return isOfTexts(type) ? sql`${values.map(asText)}::text[]` : sql`${values}::${sql.raw(type)}[]`;
  });
  const names = columns.map((column) =>
    sql.ref(column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  );
  const unnested = sql`unnest(${sql.join(arrays)}) as ${sql.ref(table)} (${sql.join(names)})`;
  if (!columns.some((column) => isOfTexts(types[column]))) return unnested;
  const typed = columns.map((column, at) =>
    isOfTexts(types[column]) ? sql`${names[at]}::${sql.raw(types[column])} as ${names[at]}` : names[at],
  );
  return sql`(select ${sql.join(typed)} from ${unnested}) as ${sql.ref(table)}`;
}

const isOfTexts = (type: ColumnType): boolean => Object.hasOwn(ofTexts, type);

/** Returns an array or JSON as the text that Postgres parses, without NUL. */
function asText(value: Value): string | null {
  if (Array.isArray(value)) return `{${value.map(elementText).join(',')}}`;
  return value === null ? null : storableJson(value as object);
}

const elementText = (value: string | number | null): string =>
  value === null ? 'NULL' : `"${String(value).replaceAll('\0', '\uFFFD').replace(/[\\"]/g, '\\$&')}"`;
