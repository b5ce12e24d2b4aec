import { createHash } from 'node:crypto';
import type { StoredDefinition, StoredMetafield } from './catalogue.ts';

/** A digest of a value: it changes if type or value do. */
export const digestOf = ({ type, value }: Pick<StoredMetafield, 'type' | 'value'>): string =>
  createHash('sha256').update(`${type} ${value}`).digest('hex');

const units: Readonly<Record<string, readonly string[]>> = {
  dimension: ['in', 'ft', 'yd', 'mm', 'cm', 'm'],
  weight: ['oz', 'lb', 'g', 'kg'],
  volume: [
    ...['ml', 'cl', 'l', 'm3', 'us_fl_oz', 'us_pt', 'us_qt', 'us_gal'],
    ...['imp_fl_oz', 'imp_pt', 'imp_qt', 'imp_gal'],
  ],
};

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isMeasure =
  (type: string): Check =>
  (value) => {
    const { unit, value: amount } = (value ?? {}) as { unit?: unknown; value?: unknown };
    return typeof amount === 'number' && units[type]?.includes(String(unit)) === true;
  };
const fits =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

/** Checks values by type in the JSON of a list; single numbers, flags and texts are plain text. */
const checks: Readonly<Record<string, Check>> = {
  single_line_text_field: (value) => isText(value) && !/[\r\n]/.test(value as string),
  multi_line_text_field: isText,
  number_integer: (value) => Number.isSafeInteger(value),
  number_decimal: fits(/^-?\d{1,13}(\.\d{1,9})?$/),
  boolean: fits(/^(true|false)$/),
  date: fits(/^\d{4}-\d\d-\d\d$/),
  color: fits(/^#[\da-fA-F]{6}$/),
  url: fits(/^(https?|mailto|sms|tel):\S+$/),
  dimension: isMeasure('dimension'),
  weight: isMeasure('weight'),
  volume: isMeasure('volume'),
};
const inJson = ['number_integer', 'dimension', 'weight', 'volume'];

/** Why the store refuses a value, by its type and the rules of its definition; null: it takes it. */
export function valueProblem(
  value: string,
  type: string,
  definition: StoredDefinition | undefined,
): string | null {
  const isList = type.startsWith('list.');
  const name = isList ? type.slice('list.'.length) : type;
  const check = checks[name];
  if (!check) return null;
  if (Buffer.byteLength(value) > (name === 'url' ? 2 : 64) * 1024) return 'Value is too long.';
  const items = isList || inJson.includes(name) ? parsed(value) : value;
  if (items === undefined) return 'Value is invalid JSON.';
  const list: unknown[] = isList ? (Array.isArray(items) ? items : []) : [items];
  if (isList && (!Array.isArray(items) || list.length > 128))
    return 'Value must be an array of up to 128 items.';
  if (!list.every(check)) return `Value is invalid for the type ${type}.`;
  return ruleProblem(list, definition);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function ruleProblem(list: readonly unknown[], definition: StoredDefinition | undefined): string | null {
  const rule = (name: string) => definition?.validations?.find((one) => one.name === name)?.value ?? null;
  const choices = rule('choices');
  if (choices !== null && !list.every((one) => (JSON.parse(choices) as unknown[]).includes(one))) {
    return `Value does not exist in provided choices: ${choices}.`;
  }
  const [min, max] = [rule('min'), rule('max')];
  const numbers = list.map(Number).filter((one) => !Number.isNaN(one));
  if (min !== null && !min.startsWith('{') && numbers.some((one) => one < Number(min)))
    return `Value has a minimum of ${min}.`;
  if (max !== null && !max.startsWith('{') && numbers.some((one) => one > Number(max)))
    return `Value has a maximum of ${max}.`;
  return null;
}
