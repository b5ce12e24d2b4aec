import type { CanonicalField } from '../base/canonical-fields.ts';
import { fieldsOfGroup } from './item-hashes.ts';
import { changedGroups, type FieldGroup, fieldGroups, type ListCounts, type ListFindings } from './list.ts';
import { dateInName } from './list-signs.ts';

/** Returns the groups in which lists can be compared: both have the same fields of them, and at least one. */
export function comparedGroups(then: readonly string[], now: readonly string[]): FieldGroup[] {
  return fieldGroups.filter((group) => {
    const fields = fieldsOfGroup[group];
    const had = fields.some((field) => then.includes(field));
    return had && fields.every((field) => then.includes(field) === now.includes(field));
  });
}

/** Returns fields that a list adds and lacks, and groups not compared because of them; null if both have the same. */
export function differencesOf(then: readonly string[], now: readonly string[]) {
  const differs = (field: CanonicalField) => then.includes(field) !== now.includes(field);
  const fields = changedGroups.flatMap((group) => fieldsOfGroup[group].filter(differs));
  if (fields.length === 0) return null;
  return {
    added: fields.filter((field) => now.includes(field)),
    missing: fields.filter((field) => then.includes(field)),
    groups: changedGroups.filter((group) => fieldsOfGroup[group].some(differs)),
  };
}

/** Share of missing items from which a file seems cut off. */
const missingShareMax = 0.2;
/** Number of missing items from which a file seems cut off, if it exceeds this share of the items. */
const missingMax = 50;
const missingShareMin = 0.02;

/** Above this share of rows whose cells do not fit, other rows are likely lost. */
const tornShareMax = 0.05;

/** `torn`: rows whose cells do not fit; `shortRow`: the last row if it is short. */
export type TornRows = { torn: number; rows: number; shortRow: number | null };

/** Finds whether a file seems to end early, by missing items. `isPart`: the supplier's lists may lack items. */
export function findCutOff(
  { missing, items: of }: Pick<ListCounts, 'missing' | 'items'>,
  { torn, rows, shortRow }: TornRows,
  isPart: boolean,
): ListFindings['cutOff'] {
  const share = of === 0 ? 0 : missing / of;
  const isMuch = share > missingShareMax || (missing > missingMax && share > missingShareMin);
  const isTorn = missing > 0 && (shortRow !== null || torn > tornShareMax * rows);
  return isTorn || (isMuch && !isPart) ? { missing, of, shortRow } : undefined;
}

/** A list with at least this many changed rows that go back, and this share, is older than the compared one. */
const backMin = 3;
const backShareMin = 0.5;

/** `file_at`: time of the file's last change, if known. */
export type ListFile = { filename: string; file_at: Date | null };

/** Finds whether a list looks older than earlier ones by its file's date, or because `back` of `of` changes go back. */
export function findLate(
  list: ListFile,
  { last, full }: { last: ListFile; full: ListFile },
  { back, of }: { back: number; of: number },
): ListFindings['late'] {
  if (isOlder(list, full)) return { filename: full.filename, back, of };
  return back >= backMin && back >= of * backShareMin ? { filename: last.filename, back, of } : undefined;
}

/** Pairs other than two days or two times are compared by month: any day of November may be named 'November'. */
function isOlder(one: ListFile, other: ListFile): boolean {
  const [named, otherNamed] = [dateInName(one.filename), dateInName(other.filename)];
  const [at, otherAt] = [named?.date ?? one.file_at, otherNamed?.date ?? other.file_at];
  if (at === null || otherAt === null) return false;
  const areAlike = named === null ? otherNamed === null : otherNamed !== null;
  const isExact = areAlike && !named?.isMonth && !otherNamed?.isMonth;
  return isExact ? at < otherAt : monthOf(at) < monthOf(otherAt);
}

const monthOf = (date: Date): string => date.toISOString().slice(0, 7);
