import type { CanonicalField } from '../base/canonical-fields.ts';
import { fieldsOfGroup } from './item-hashes.ts';
import { changedGroups, type FieldGroup, fieldGroups, type ListCounts, type ListFindings } from './list.ts';
import { dateInName } from './list-signs.ts';

/** The groups of fields that two lists can be compared in: both have the same fields of it, and at least one. */
export function comparedGroups(then: readonly string[], now: readonly string[]): FieldGroup[] {
  return fieldGroups.filter((group) => {
    const fields: readonly CanonicalField[] = fieldsOfGroup[group];
    const had = fields.filter((field) => then.includes(field));
    return had.length > 0 && fields.every((field) => then.includes(field) === now.includes(field));
  });
}

/** The fields that only one of two lists has, and the groups that cannot be compared because of them. */
export type FieldDifferences = {
  added: CanonicalField[];
  missing: CanonicalField[];
  groups: (typeof changedGroups)[number][];
};

/** What a list's fields add to those of the list before, and what they lack; null: both have the same. */
export function differencesOf(then: readonly string[], now: readonly string[]): FieldDifferences | null {
  const fieldsOf = (group: FieldGroup): readonly CanonicalField[] => fieldsOfGroup[group];
  const differs = (field: CanonicalField) => then.includes(field) !== now.includes(field);
  const fields = changedGroups.flatMap((group) => fieldsOf(group).filter(differs));
  if (fields.length === 0) return null;
  return {
    added: fields.filter((field) => now.includes(field)),
    missing: fields.filter((field) => then.includes(field)),
    groups: changedGroups.filter((group) => fieldsOf(group).some(differs)),
  };
}

/** A file seems cut off if this share of the items is missing, */
const missingShareMax = 0.2;
/** or more than this number, where they are more than this share of the items. */
const missingMax = 50;
const missingShareMin = 0.02;

/** Rows whose cells do not fit, of all: above it, other rows are likely lost. */
const tornShareMax = 0.05;

/** The rows of a list: how many have cells that do not fit, of how many; and its last one, if that is short. */
export type TornRows = { torn: number; rows: number; shortRow: number | null };

/**
 * Whether a list's file seems to end in the middle, by how many of the earlier list's items it lacks. `isPart`: the
 * supplier's lists are parts, which lack items.
 */
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

/** A list is older than the one it was compared with if at least this many changed rows go back, and this share. */
const backMin = 3;
const backShareMin = 0.5;

/** A list's file. `file_at`: when it was changed last; null: not known. */
export type ListFile = { filename: string; file_at: Date | null };

/**
 * Whether a list looks older than earlier ones: than the last full one, by the dates of the files, or than the last one
 * that counted, because `back` of `of` changed rows go back to what was before that.
 */
export function findLate(
  list: ListFile,
  { last, full }: { last: ListFile; full: ListFile },
  { back, of }: { back: number; of: number },
): ListFindings['late'] {
  if (isOlder(list, full)) return { filename: full.filename, back, of };
  return back >= backMin && back >= of * backShareMin ? { filename: last.filename, back, of } : undefined;
}

/**
 * Whether a file is older than another one. Days in names are compared with days, and times with times; a month, or a
 * day with a time, only by the month: a list of November may be named so on any day of it.
 */
function isOlder(one: ListFile, other: ListFile): boolean {
  const [named, otherNamed] = [dateInName(one.filename), dateInName(other.filename)];
  const [at, otherAt] = [named?.date ?? one.file_at, otherNamed?.date ?? other.file_at];
  if (at === null || otherAt === null) return false;
  const areAlike = named === null ? otherNamed === null : otherNamed !== null;
  const isExact = areAlike && !named?.isMonth && !otherNamed?.isMonth;
  return isExact ? at < otherAt : monthOf(at) < monthOf(otherAt);
}

const monthOf = (date: Date): string => date.toISOString().slice(0, 7);
