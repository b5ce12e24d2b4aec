import type { ColumnType } from 'kysely';

declare const storable: unique symbol;

/** JSON that Postgres can parse. Only `storableJson` makes it. */
export type StorableJson = string & { readonly [storable]: true };

/** A json or jsonb column: read as T, written as the text that `storableJson` returns. */
export type JsonColumn<T extends object | null> = ColumnType<T, StorableJson, StorableJson>;

/** Each escape sequence, so that the text `\u0000` after an escaped backslash is not taken for one. */
const escapes = /\\(?:(u0000|ud[89a-f][\da-f]{2})|.)/g;

/**
 * The only way to pass JSON to Postgres. A json column stores NUL and halves of surrogate pairs, but functions that
 * parse such JSON fail, also for all other rows of the statement. U+FFFD replaces them, also in keys.
 */
export function storableJson(value: object | null): StorableJson {
  const text = JSON.stringify(value);
  // JSON.stringify escapes halves of surrogate pairs, and never whole pairs.
  const isStorable = !text.includes('\\u');
  return (
    isStorable ? text : text.replace(escapes, (found, bad?: string) => (bad ? '\\ufffd' : found))
  ) as StorableJson;
}
