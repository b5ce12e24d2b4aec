import type { ColumnType } from 'kysely';

declare const storable: unique symbol;

/** JSON that Postgres can parse. Only `storableJson` returns this type. */
export type StorableJson = string & { readonly [storable]: true };

/** A json or jsonb column, read as T and written as the text that `storableJson` returns. */
export type JsonColumn<T extends object | null> = ColumnType<T, StorableJson, StorableJson>;

/** Matches each escape sequence, so that `u0000` after an escaped backslash is not taken for a NUL. */
const escapes = /\\(?:(u0000|ud[89a-f][\da-f]{2})|.)/g;

/**
 * Returns a value as JSON for Postgres. U+FFFD replaces NUL and halves of surrogate pairs, also in keys. A json column
 * would store these characters, but functions that parse this JSON would fail for all rows of the statement.
 */
export function storableJson(value: object | null): StorableJson {
  const text = JSON.stringify(value);
  // JSON.stringify escapes single halves of surrogate pairs, but it never escapes whole pairs.
  const isStorable = !text.includes('\\u');
  return (
    isStorable ? text : text.replace(escapes, (found, bad?: string) => (bad ? '\\ufffd' : found))
  ) as StorableJson;
}
