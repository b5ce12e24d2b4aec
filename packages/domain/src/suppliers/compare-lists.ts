import type { CanonicalField } from '../base/canonical-fields.ts';
import { fieldsByGroup } from './item-hashes.ts';
import { changeGroups, type FieldGroup, fieldGroups, type ListCounts, type ListFindings } from './list.ts';
import { parseDateInName } from './list-signs.ts';

/** Returns the groups in which two lists can be compared: each group of which both lists have the same fields. */
export function findComparableGroups(then: readonly string[], now: readonly string[]): FieldGroup[] {
  return fieldGroups.filter((group) => {
    const fields = fieldsByGroup[group];
    const had = fields.some((field) => then.includes(field));
    return had && fields.every((field) => then.includes(field) === now.includes(field));
  });
}

/** Returns the fields that a list adds or lacks, and the groups that therefore cannot be compared, or null if none. */
export function findFieldDifferences(then: readonly string[], now: readonly string[]) {
  const differs = (field: CanonicalField) => then.includes(field) !== now.includes(field);
  const fields = changeGroups.flatMap((group) => fieldsByGroup[group].filter(differs));
  if (fields.length === 0) return null;
  return {
    added: fields.filter((field) => now.includes(field)),
    missing: fields.filter((field) => then.includes(field)),
    groups: changeGroups.filter((group) => fieldsByGroup[group].some(differs)),
  };
}

/** If more than this share of the items is missing, a file seems to be cut off. */
const missingShareMax = 0.2;
/** A file also seems to be cut off if the missing items exceed both `missingMax` and `missingShareMin`. */
const missingMax = 50;
const missingShareMin = 0.02;

/** If more than this share of the rows is torn (see TornRows), the file has probably lost other rows. */
const tornShareMax = 0.05;

/** `torn`: number of rows with an unclosed quote or missing cells. `shortRow`: the file's last row if it is torn. */
export type TornRows = { torn: number; rows: number; shortRow: number | null };

/** Returns a finding if a file seems to end early: by missing items, or torn rows. `isPart`: the lists are partial. */
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

/** A list seems older if at least this number and share of its changed rows have content from before the last list. */
const backMin = 3;
const backShareMin = 0.5;

/** A list's file. `file_at` is the time of its last change, or null if unknown. */
export type ListFile = { filename: string; file_at: Date | null };

/** Returns a finding if a list seems older than others. `of`: changed rows. `back`: those with older content. */
export function findLateList(
  list: ListFile,
  { last, full }: { last: ListFile; full: ListFile },
  { back, of }: { back: number; of: number },
): ListFindings['late'] {
  if (isOlder(list, full)) return { filename: full.filename, back, of };
  return back >= backMin && back >= of * backShareMin ? { filename: last.filename, back, of } : undefined;
}

/** Compares by month unless both dates are days or both are times: a file named 'November' may be of any day in it. */
function isOlder(one: ListFile, other: ListFile): boolean {
  const [named, otherNamed] = [parseDateInName(one.filename), parseDateInName(other.filename)];
  const [at, otherAt] = [named?.date ?? one.file_at, otherNamed?.date ?? other.file_at];
  if (at === null || otherAt === null) return false;
  const areAlike = named === null ? otherNamed === null : otherNamed !== null;
  const isExact = areAlike && !named?.isMonth && !otherNamed?.isMonth;
  return isExact ? at < otherAt : monthOf(at) < monthOf(otherAt);
}

const monthOf = (date: Date): string => date.toISOString().slice(0, 7);
