import { z } from 'zod';

/**
 * A field with one value, for pushes and undos. `Draft`: the type that has the field. `Silent`: names of fields that a
 * file may lack. `Live`: the store's value. `Said`: a draft's value in the store's format.
 */
export type Field<Draft, Silent, Live, Said> = {
  name: string;
  /** The field's path in the store's input. Absent if the path equals the key. */
  at?: string;
  readAt?: string;
  /** The GraphQL selection of a value that is an object. */
  select?: string;
  reply: z.ZodType<Live>;
  /** The field of a draft that a file may lack. Absent if every file has it. */
  draft?: Silent;
  said: (draft: Draft) => Said;
  toDraft: (live: Live) => Partial<Draft>;
  /** Returns the value to send to restore a value of the store. Absent if the store's value is sent unchanged. */
  again?: (live: Live) => Said;
  /** Returns the input that replaces `before`, or undefined to send none. Absent if the value itself is the input. */
  input?: (said: Said, before: Said | undefined) => unknown;
  /** Returns the text of a value for comparison and display, '' if there is no value. */
  text: (value: Live | Said | undefined) => string;
  /** Returns the identity of a value for comparisons. Absent if the text is the identity. */
  identity?: (value: Live | Said | undefined) => string;
  /** Whether the field proves that a write has arrived, because the store then has exactly the sent value. */
  proves?: boolean;
  /** Whether states stored by older versions lack the field, so that its value is unknown. */
  isLater?: boolean;
};

type AnyFields = Record<string, { reply: z.ZodType; said: (draft: never) => unknown }>;
type LaterKey<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends { isLater: true } ? Key : never;
}[keyof Fields];
type LiveOf<One> = One extends { reply: z.ZodType<infer Live> } ? Live : never;

/** The values in the store. An absent value is unknown. */
export type LiveValues<Fields extends AnyFields> = {
  [Key in Exclude<keyof Fields, LaterKey<Fields>>]: LiveOf<Fields[Key]>;
} & { [Key in LaterKey<Fields>]?: LiveOf<Fields[Key]> };

export type IntendedValues<Fields extends AnyFields> = {
  [Key in keyof Fields]: ReturnType<Fields[Key]['said']>;
};

type Place<One, Key> = One extends { at: infer At } ? At : Key;
type Taken<One> = One extends { input: (...values: never[]) => infer Value }
  ? Exclude<Value, undefined>
  : One extends { said: (draft: never) => infer Said }
    ? Said
    : never;
type Nested<Path, Value> = Path extends `${infer Outer}.${infer Inner}`
  ? { [Name in Outer]?: Nested<Inner, Value> }
  : { [Name in Path & string]?: Value };
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type InputValues<Fields extends AnyFields> = AllOf<
  { [Key in keyof Fields]: Nested<Place<Fields[Key], Key>, Taken<Fields[Key]>> }[keyof Fields]
>;

export const toFieldList = <One, Key extends string>(fields: Record<Key, object>) =>
  Object.entries(fields).map(([key, field]) => ({ key, at: key, ...(field as object) })) as (One & {
    key: Key;
    at: string;
  })[];

export const toStoreValues = <Said>(
  fields: readonly { key: string; said: (draft: never) => unknown }[],
  draft: unknown,
): Said => Object.fromEntries(fields.map(({ key, said }) => [key, said(draft as never)])) as Said;

/** Converts values of the store to fields of a draft. */
export const toDraftValues = (
  fields: readonly { key: string; toDraft: (live: never) => object }[],
  live: object,
): object =>
  Object.assign({}, ...fields.map(({ key, toDraft }) => toDraft((getByPath(live, key) ?? null) as never)));

type Placed = { key: string; at: string; readAt?: string };
type Read = Placed & { select?: string; reply: z.ZodType };
const readPlace = ({ at, readAt = at }: Placed) => readAt;

export const readValues = <Live>(fields: readonly Placed[], reply: object): Live =>
  Object.fromEntries(fields.map((field) => [field.key, getByPath(reply, readPlace(field))])) as Live;

/** Returns the value at a path such as 'inventoryItem.cost', or null or undefined if a part of the path is missing. */
export function getByPath(object: unknown, place: string): unknown {
  let value = object;
  for (const name of place.split('.')) {
    if (value === null || value === undefined) return value;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

export type SettableField = {
  key: string;
  at: string;
  input?: (said: never, before: never) => unknown;
};

/** Sets a value in the store's input. `before`: the replaced value. */
export function setInputValue(
  input: object,
  { at, input: toInput }: SettableField,
  said: unknown,
  before?: unknown,
): void {
  const value = toInput ? toInput(said as never, before as never) : said;
  if (value === undefined) return;
  const path = at.split('.');
  const last = path.pop() ?? '';
  let inner = input as Record<string, unknown>;
  for (const name of path) {
    inner[name] ??= {};
    inner = inner[name] as Record<string, unknown>;
  }
  inner[last] = value;
}

/** Returns the store's input for the values that are present. */
export function toStoreInput(fields: readonly SettableField[], said: object): object {
  const input = {};
  for (const field of fields) {
    const value = getByPath(said, field.key);
    if (value !== null && value !== '') setInputValue(input, field, value);
  }
  return input;
}

/** Returns the values that an input for the store sets, by the keys of their fields. */
export const readInputValues = <Values>(fields: readonly SettableField[], input: object): Partial<Values> =>
  Object.fromEntries(
    fields.flatMap(({ key, at }) => {
      const value = getByPath(input, at);
      return value === undefined ? [] : [[key, value]];
    }),
  ) as Partial<Values>;

/** Returns the value to send so that a product or variant has the store's earlier value again. */
export const toRestoredValue = (
  { key, again }: { key: string; again?: (live: never) => unknown },
  live: object,
): unknown => {
  const value = getByPath(live, key);
  return again ? again(value as never) : value;
};

/** Returns the GraphQL selection of these fields and of `others`, paths such as 'inventoryItem.id'. */
export function toSelection(fields: readonly Read[], others: readonly string[]): string {
  const paths = fields.map((one) => readPlace(one) + (one.select ? ` { ${one.select} }` : ''));
  const write = (places: readonly string[]): string =>
    [...Map.groupBy(places, (place) => /^\w+(?=\.)/.exec(place)?.[0])]
      .flatMap(([outer, inner]) =>
        outer === undefined
          ? inner
          : `${outer} { ${write(inner.map((place) => place.slice(outer.length + 1)))} }`,
      )
      .join(' ');
  return write([...others, ...paths]);
}

/** Returns the schemas of a reply with these fields. `within`: path of the object that the schemas are for. */
export function toReplyShape(fields: readonly Read[], within = ''): Record<string, z.ZodType> {
  const places = fields.flatMap((field) => {
    const place = readPlace(field);
    return place.startsWith(within) ? [{ place: place.slice(within.length), reply: field.reply }] : [];
  });
  return Object.fromEntries(
    places.map(({ place, reply }) => {
      const [name = '', inner] = place.split('.', 2);
      const schema =
        inner === undefined ? reply : z.object(toReplyShape(fields, `${within}${name}.`)).nullable();
      return [name, schema];
    }),
  );
}
