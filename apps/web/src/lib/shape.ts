export type Is<T> = (value: unknown) => value is T;

type IsAll<T> = { [K in keyof T]-?: (value: unknown) => boolean };

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

export const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);

export const orNone = (is: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || is(value);

export function hasShape<T extends object>(fields: IsAll<T>): Is<T> {
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<(value: unknown) => boolean>(fields).every(([name, is]) =>
      is((value as Record<string, unknown>)[name]),
    );
}
