import { type IssueFix, issueFixes } from '@draftshelf/domain/review/issue-fixes';
import { numberFields } from '@draftshelf/domain/review/operations/operation';
import { type LineDraft, newLine } from './operation-draft.ts';
import type { LineField } from './operation-kinds.ts';

/** Numbers have no spellings. */
const notClustered: readonly LineField[] = [...numberFields, 'rows'];

export type Preset = { label: string; lines: (field: LineField) => Partial<LineDraft>[] };

const priceOf = (field: LineField) => (field === 'compareAtPrice' || field === 'cost' ? field : 'price');

export const setting: Preset = { label: 'Set', lines: (field) => [{ field, kind: 'set' }] };

export const leavingOut: Preset = {
  label: 'Leave Out',
  lines: () => [{ field: 'rows', kind: 'leave-out' }],
};

/** The commonest changes. `field`: the one that the rows are filtered by, else the price. */
export const presets: readonly Preset[] = [
  {
    label: 'Change a Price',
    lines: (field) => [{ field: priceOf(field), kind: 'multiply' }],
  },
  setting,
  { label: 'Clear', lines: (field) => [{ field, kind: 'clear' }] },
  { label: 'Find and Replace', lines: (field) => [{ field, kind: 'replace' }] },
  {
    label: 'Unify Spellings',
    lines: (field) => [{ field: notClustered.includes(field) ? 'vendor' : field, kind: 'map' }],
  },
  { label: 'Round a Price', lines: (field) => [{ field: priceOf(field), kind: 'round' }] },
  leavingOut,
];

/** The fixes of the issue that rows are filtered by. */
export const fixesOf = (issue: string | undefined): Preset[] =>
  issueFixes
    .filter(({ code }) => code === issue)
    .map(({ label, operations }) => ({ label, lines: () => operations.map(lineOf) }));

const lineOf = ({ kind, field, ...operation }: IssueFix['operations'][number]): Partial<LineDraft> => ({
  kind,
  field,
  ...('value' in operation ? { value: operation.value } : {}),
  ...('chars' in operation ? { chars: String(operation.chars) } : {}),
});

/** The lines of a preset, numbered from `id` on. */
export const linesOf = (preset: Preset, field: LineField, id: number): LineDraft[] =>
  preset.lines(field).map((line, at) => newLine(id + at, line));
