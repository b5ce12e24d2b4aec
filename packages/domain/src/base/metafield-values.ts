import { shortenText } from './cut-text.ts';
import {
  fieldOfMetafield,
  type MappedMetafield,
  type MetafieldDefinition,
  type MetafieldType,
  metafieldTypeOf,
} from './metafields.ts';
import { convertDecimalComma, parseMoney } from './money.ts';
import { parseJson } from './parse-json.ts';
import { weightOf } from './weight.ts';

/** The value in the store's format, or why a text does not fit the metafield's definition, as the end of a sentence. */
export type MetafieldValue = { value: string } | { problem: string };

/** Shopify's limits (shopify.dev/docs/apps/build/metafields/metafield-limits, 27 November 2026). */
const bytesMax = 64 * 1024;
const urlBytesMax = 2 * 1024;
export const metafieldItemsMax = 128;

type Rules = Readonly<Record<string, string>>;

/** Shopify's names of units, with the words for each unit in headers and cells. */
const units = {
  dimension: {
    mm: 'mm millimeter millimeters millimetre millimetres millimètre millimètres millimetri milímetros мм 毫米',
    cm: 'cm centimeter centimeters centimetre centimetres zentimeter centimètre centimètres centimetri centímetros см 厘米',
    m: 'm meter meters metre metres mètre mètres metri metros м 米',
    in: 'in inch inches zoll pouce pouces pollici pulgadas " ″ дюйм 英寸',
    ft: "ft foot feet fuß pied pieds ' ′",
    yd: 'yd yard yards',
  },
  volume: {
    ml: 'ml milliliter milliliters millilitre millilitres мл 毫升',
    cl: 'cl centiliter centiliters centilitre centilitres',
    l: 'l lt ltr liter liters litre litres litri litros л 升',
    m3: 'm3 m³ cbm',
    us_fl_oz: 'us_fl_oz floz oz',
    us_pt: 'us_pt pt pint pints',
    us_qt: 'us_qt qt quart quarts',
    us_gal: 'us_gal gal gallon gallons',
    imp_fl_oz: 'imp_fl_oz',
    imp_pt: 'imp_pt',
    imp_qt: 'imp_qt',
    imp_gal: 'imp_gal',
  },
} as const;
type Measure = keyof typeof units;
const unitByWord = Object.fromEntries(
  Object.entries(units).map(([measure, ofMeasure]) => [
    measure,
    new Map(
      Object.entries(ofMeasure).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])),
    ),
  ]),
) as Record<Measure, Map<string, string>>;

/** Returns the unit that a header names for cells without a unit ('Width (cm)'), or undefined if it names none. */
export function findMetafieldUnit(header: string, definition: MetafieldDefinition): string | undefined {
  const { type } = metafieldTypeOf(definition) ?? {};
  const words = header.toLowerCase().split(/[^\p{L}\p{N}_³"″′']+/u);
  if (type === 'weight') return words.find((word) => weightOf({ weight: '1', weightUnit: word }));
  if (type !== 'dimension' && type !== 'volume') return undefined;
  // The last match is used, because the words before the unit name the measured property.
  return words.findLast((word) => unitByWord[type].has(word));
}

/** Reads a cell's text as a value of a definition. */
export function readMetafieldValue(text: string, definition: MappedMetafield): MetafieldValue {
  const found = metafieldTypeOf(definition);
  if (!found) return { problem: 'isn’t a kind of value that can be sent' };
  const rules: Rules = Object.fromEntries(
    definition.validations.map(({ name, value }) => [name, value ?? '']),
  );
  const trimmed = text.trim();
  const read = (item: string) => checked(item, found.type, rules, definition);
  if (!found.isList) return withinSize(read(trimmed), found.type);
  const items = listItems(trimmed);
  const least = Number(rules['list.min'] ?? 0);
  const most = Math.min(Number(rules['list.max'] ?? metafieldItemsMax), metafieldItemsMax);
  if (items.length > most) return { problem: `has ${items.length} entries, and at most ${most} fit` };
  if (items.length < least)
    return { problem: `has ${items.length} entries, and at least ${least} are needed` };
  const values = items.map(read);
  const wrong = values.find((one) => 'problem' in one);
  if (wrong) return wrong;
  const parts = values.map((one) => ('value' in one ? one.value : ''));
  return withinSize({ value: JSON.stringify(parts.map((part) => inList(part, found.type))) }, found.type);
}

/** Splits a list at line breaks, else at ';', else at '|', else at ', ', else at commas before a non-digit. */
function listItems(text: string): string[] {
  const separator = [/\r?\n/, /;/, /\|/, /,\s+/].find((one) => one.test(text)) ?? /,(?!\d)/;
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** In the JSON of a list, numbers and measures are not strings. */
function inList(value: string, type: MetafieldType): unknown {
  return ['number_integer', 'dimension', 'weight', 'volume'].includes(type) ? JSON.parse(value) : value;
}

function withinSize(read: MetafieldValue, type: MetafieldType): MetafieldValue {
  if ('problem' in read) return read;
  const most = type === 'url' ? urlBytesMax : bytesMax;
  if (read.value.length * 3 <= most || new TextEncoder().encode(read.value).length <= most) return read;
  return { problem: `is longer than Shopify’s limit of ${most / 1024} KB` };
}

/** Types whose values are written with a decimal mark. */
const numbers = new Set<MetafieldType>(['number_integer', 'number_decimal', 'dimension', 'weight', 'volume']);

function checked(text: string, type: MetafieldType, rules: Rules, of: MappedMetafield): MetafieldValue {
  const number = of.decimalComma && numbers.has(type) ? convertDecimalComma(text) : text;
  const read = readers[type](number, of.unit);
  if ('problem' in read) return { problem: `“${shortenText(text, shownMax)}” ${read.problem}` };
  const problem = ruleProblem(read.value, type, rules);
  return problem === null ? read : { problem: `“${shortenText(text, shownMax)}” ${problem}` };
}

const shownMax = 40;

function ruleProblem(value: string, type: MetafieldType, rules: Rules): string | null {
  const choices = choicesOf(rules);
  if (choices && !choices.includes(value)) return 'isn’t one of the choices';
  if (rules.regex !== undefined && !fitsPattern(value, rules.regex))
    return 'doesn’t have the form that the store asks for';
  const isText = type === 'single_line_text_field' || type === 'multi_line_text_field';
  const size = isText ? [...value].length : sizeOf(value, type);
  const { min, max } = rules;
  if (min && size < sizeOf(min, type)) {
    return isText ? `has fewer than ${min} characters` : `is below ${measureText(min)}`;
  }
  if (max && size > sizeOf(max, type)) {
    return isText ? `has more than ${max} characters` : `is above ${measureText(max)}`;
  }
  const decimals = value.split('.')[1]?.length ?? 0;
  const precision = Number(rules.max_precision ?? 9);
  if (type === 'number_decimal' && decimals > precision) return `has more than ${precision} decimals`;
  const domains = rules.allowed_domains;
  if (type === 'url' && domains && !domains.includes(new URL(value).hostname)) {
    return 'is on a host that the store doesn’t allow';
  }
  return null;
}

function choicesOf({ choices }: Rules): string[] | null {
  const list = parseJson(choices ?? '');
  return Array.isArray(list) ? list.map(String) : null;
}

const patternCharsMax = 500;

/** A repeated group with a repetition inside may take exponential time. */
const nestedRepetition = /\([^()]{0,500}[+*{][^()]{0,500}\)[+*{]/;

/**
 * Whether a value matches a merchant's pattern. Returns true and leaves the decision to the store if the pattern is
 * invalid here or could take long: if it has nested repetitions, or if the value is long.
 */
function fitsPattern(value: string, pattern: string): boolean {
  if (value.length > patternCharsMax || nestedRepetition.test(pattern)) return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

/** Returns a value or a limit as a number for comparison. */
function sizeOf(value: string, type: MetafieldType): number {
  if (type === 'date') return Date.parse(value);
  const measure = measureIn(value);
  return measure ? measure.value * (perUnit[measure.unit] ?? 1) : Number(value);
}

/** Factors from a unit to the smallest unit of its kind. */
const perUnit: Readonly<Record<string, number>> = {
  ...{ mm: 1, cm: 10, m: 1000, in: 25.4, ft: 304.8, yd: 914.4 },
  ...{ ml: 1, cl: 10, l: 1000, m3: 1_000_000, us_fl_oz: 29.5735, us_pt: 473.176, us_qt: 946.353 },
  ...{ us_gal: 3785.41, imp_fl_oz: 28.4131, imp_pt: 568.261, imp_qt: 1136.52, imp_gal: 4546.09 },
  ...{ g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 },
};

type Reader = (text: string, unit: string | undefined) => MetafieldValue;

const readers: Record<MetafieldType, Reader> = {
  single_line_text_field: (text) => ({ value: text.replace(/\s+/g, ' ') }),
  multi_line_text_field: (text) => ({ value: text }),
  number_integer(text) {
    const number = decimalIn(text);
    if (number === null || !/^-?\d+(?:\.0+)?$/.test(number)) return { problem: 'isn’t a whole number' };
    const whole = Number(number);
    return Number.isSafeInteger(whole) ? { value: String(whole) } : { problem: 'is too large' };
  },
  number_decimal(text) {
    const number = decimalIn(text);
    if (number === null) return { problem: 'isn’t a number' };
    return Math.abs(Number(number)) < 1e13 ? { value: number } : { problem: 'is too large' };
  },
  boolean(text) {
    if (/^(?:true|yes|y|1|x|✓|✔|ja|j|oui|si|sí|sim|tak|да|wahr|vrai)$/i.test(text)) return { value: 'true' };
    if (/^(?:false|no|n|0|-|nein|non|não|nie|нет|falsch|faux|nee)$/i.test(text)) return { value: 'false' };
    return { problem: 'is neither yes nor no' };
  },
  date: (text) => dateIn(text) ?? { problem: 'isn’t a date like 2026-10-31' },
  dimension: (text, unit) => measured(text, 'dimension', unit),
  volume: (text, unit) => measured(text, 'volume', unit),
  weight(text, unit) {
    const weight = weightOf({ weight: text, weightUnit: unit ?? '' });
    return weight
      ? measure(weight.value, weight.unit)
      : { problem: 'needs a number and a unit, as in “1.5 kg”' };
  },
  url(text) {
    const isAllowed = /^(?:https?|mailto|sms|tel):/i.test(text) && URL.canParse(text) && !/\s/.test(text);
    return isAllowed ? { value: text } : { problem: 'isn’t a web address' };
  },
  color(text) {
    const [, digits = ''] = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(text) ?? [];
    if (digits === '') return { problem: 'isn’t a color like #1A2B3C' };
    const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
    return { value: `#${long.toUpperCase()}` };
  },
};

/** Longer texts are not numbers. */
const numberCharsMax = 64;

/** Returns a number as text with its sign and a decimal point, or null for other texts. */
function decimalIn(text: string): string | null {
  if (text.length > numberCharsMax) return null;
  const [, sign = '', digits = ''] = /^([-−+]?)\s*([\d.,'\s]+)$/.exec(text.trim()) ?? [];
  const amount = parseMoney(digits.trim())?.amount;
  if (amount === undefined) return null;
  return sign === '-' || sign === '−' ? `-${amount}` : amount;
}

/** Reads a date in ISO form, or with points and the day first: 31.10.2026. Other forms are ambiguous. */
function dateIn(text: string): { value: string } | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text);
  const points = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  const [year, month, day] = iso ? iso.slice(1, 4) : points ? points.slice(1, 4).reverse() : [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? { value } : null;
}

function measured(text: string, kind: Measure, ofColumn: string | undefined): MetafieldValue {
  const short = text.length > numberCharsMax ? '' : text;
  const [, digits = '', written = ''] = /^([\d.,'\s]*\d)\s*(.*)$/s.exec(short.normalize('NFC')) ?? [];
  const number = decimalIn(digits);
  const word = (written.replace(/\.$/, '').replaceAll(' ', '') || ofColumn || '').toLowerCase();
  const unit = unitByWord[kind].get(word) ?? unitByWord[kind].get(word.replaceAll('.', ''));
  if (number !== null && unit !== undefined) return measure(Number(number), unit);
  const example = kind === 'dimension' ? '12 cm' : '0.5 l';
  return { problem: `needs a number and a unit, as in “${example}”` };
}

const measure = (value: number, unit: string) => ({ value: JSON.stringify({ value, unit }) });

/** Short names of units, keyed by the long names in the store's replies, which may have the long names in capitals. */
const unitNames: Readonly<Record<string, string>> = {
  ...{ grams: 'g', kilograms: 'kg', ounces: 'oz', pounds: 'lb', millimeters: 'mm', centimeters: 'cm' },
  ...{ meters: 'm', inches: 'in', feet: 'ft', yards: 'yd', milliliters: 'ml', centiliters: 'cl' },
  ...{ liters: 'l', cubic_meters: 'm3', us_fluid_ounces: 'us_fl_oz', us_pints: 'us_pt' },
  ...{ us_quarts: 'us_qt', us_gallons: 'us_gal', imperial_fluid_ounces: 'imp_fl_oz' },
  ...{ imperial_pints: 'imp_pt', imperial_quarts: 'imp_qt', imperial_gallons: 'imp_gal' },
};

function measureIn(value: string): { value: number; unit: string } | null {
  if (!value.startsWith('{')) return null;
  const found = parseJson(value) as { value?: unknown; unit?: unknown } | undefined;
  if (typeof found?.unit !== 'string' || found.value === undefined) return null;
  const unit = found.unit.toLowerCase();
  return { value: Number(found.value), unit: unitNames[unit] ?? unit };
}

function measureText(value: string): string {
  const found = measureIn(value);
  return found ? `${found.value} ${found.unit}` : value;
}

/** Returns the text by which a value is compared and shown: '2.5 kg', '1.5', 'Red, Blue'. */
export function formatMetafieldValue({ type, value }: { type?: string | undefined; value: string }): string {
  if (type?.startsWith('list.')) {
    const list = parseJson(value);
    if (list === undefined) return value;
    if (Array.isArray(list)) return list.map((one) => itemText(one, type)).join(', ');
  }
  if (type === 'number_decimal' && value.length <= numberCharsMax && /^-?\d+\.\d+$/.test(value))
    return value.replace(/\.?0+$/, '');
  return measureText(value);
}

const itemText = (item: unknown, type: string): string => {
  const value = typeof item === 'object' ? JSON.stringify(item) : String(item);
  return formatMetafieldValue({ type: type.slice('list.'.length), value });
};

/** Returns a sentence if a row's value of a metafield is not sent. Null if the value is sent or absent. */
export function findMetafieldProblem(
  values: Readonly<Record<string, string | undefined>>,
  definition: MappedMetafield,
): string | null {
  const text = values[fieldOfMetafield(definition)];
  if (text === undefined) return null;
  const read = readMetafieldValue(text, definition);
  return 'problem' in read ? `${definition.name}: ${read.problem}.` : null;
}
