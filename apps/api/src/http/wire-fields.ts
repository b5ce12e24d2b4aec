import type { z } from 'zod';

type ColumnOf<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : '';

/** The key under which a record has a field of a reply: `created_at` or `createdAt`. */
type KeyOf<Name extends string, T> = (ColumnOf<Name> extends keyof T ? ColumnOf<Name> : Name) & keyof T;

type WireFields<Shape, T> = {
  [Name in keyof Shape & string as KeyOf<Name, T> extends never ? never : Name]: OnWire<T[KeyOf<Name, T>]>;
};

type OnWire<Value> = Value extends Date ? string : Value;

/** Returns a function that copies the fields of a reply from a record. Dates become ISO texts. */
export function createWireMapper<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const columns = Object.keys(shape).map((name) => [name, columnOf(name)] as const);
  return <T extends object>(record: T): WireFields<Shape, T> => {
    const values = record as Record<string, unknown>;
    const fields: Record<string, unknown> = {};
    for (const [name, column] of columns) {
      const key = column in record ? column : name;
      if (!(key in record)) continue;
      const value = values[key];
      fields[name] = value instanceof Date ? value.toISOString() : value;
    }
    return fields as WireFields<Shape, T>;
  };
}

const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
