import type {
  OperatorValue,
  SupplierDetails,
  SupplierSummary,
} from '@draftshelf/contract/suppliers/supplier-page';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { freshMs, pollMs, readOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath, sourceProposalsPath } from '../../lib/paths.ts';
import { fieldLabel, shownKey, talliesOf } from '../import/index.ts';

export const summariesRead = () => queryOptions({ ...readOf('summarizeSuppliers'), staleTime: freshMs });

export const supplierRead = (id: string) =>
  queryOptions({ ...readOf('getSupplier', { params: { id } }), staleTime: freshMs });

/** Reads the address of a supplier's lists. A saved address is polled, because lists can arrive at any time. */
export const useFeed = (id: string | number) =>
  useQuery({
    ...readOf('getFeed', { params: { id } }),
    staleTime: freshMs,
    refetchInterval: ({ state }) => state.data?.feed != null && pollMs.suppliers,
  });

const namesFreshMs = 30_000;
const none: never[] = [];

const useSuppliers = () => useQuery({ ...readOf('listSuppliers'), staleTime: namesFreshMs }).data ?? none;

/** Whether any supplier has a name or a second list. */
export const useHasNamedSupplier = (): boolean => useSuppliers().some(({ isNamed }) => isNamed);

/** Returns the suppliers, or none until two of them are named. */
export function useNamedSuppliers() {
  const data = useSuppliers();
  return data.filter(({ isNamed }) => isNamed).length < 2 ? none : data;
}

type ShownList = SupplierDetails['lists'][number];
export function findSupplierToDo({
  asked,
  waiting,
}: Pick<SupplierSummary, 'asked' | 'waiting'>): { words: string; path: string } | null {
  if (asked !== null)
    return { words: `Say whether ${asked.filename} is its list`, path: importPath(asked.importId) };
  if (waiting === null) return null;
  const { importId, filename, toDecide } = waiting;
  if (toDecide > 0) {
    return {
      words: `Decide ${countOf(toDecide, 'change')} in ${filename}`,
      path: sourceProposalsPath(importId, supplierSource),
    };
  }
  return { words: `Review ${filename}`, path: importPath(importId) };
}

/** `isLatest` is true if the next list is compared with this list. */
export function describeListState(
  { state, status }: Pick<ShownList, 'state' | 'status'>,
  isLatest: boolean,
): string {
  if (state === 'open' && status === 'cancelled') return 'Cancelled';
  if (state === 'counted') return isLatest ? 'The latest list' : 'Earlier list';
  return state === 'open' ? 'Not pushed yet' : 'Ignored';
}

/** Example: '118 new · 412 changed: 260 dearer (avg +8%), 31 cheaper · 11,310 unchanged', without zeros. */
export function describeListCounts({ counts }: Pick<ShownList, 'counts'>): string {
  if (counts === null) return 'Not compared with an earlier list';
  const sums = talliesOf(counts).filter(({ count }) => count > 0);
  return sums
    .map(({ words, parts }) =>
      parts.length === 0 ? words : `${words}: ${parts.map((part) => part.words).join(', ')}`,
    )
    .join(' · ');
}

/** Returns the number of the list that the next list is compared with. */
export const findComparedListNumber = (lists: readonly ShownList[]): number | undefined =>
  lists
    .filter(({ state }) => state === 'counted')
    .toSorted((a, b) => (b.countedAt ?? '').localeCompare(a.countedAt ?? ''))[0]?.number;

const columnsShown = 6;

export function describeRecognition({
  kind,
  value,
  columns,
  filename,
}: SupplierDetails['signs'][number]): string {
  if (kind === 'folder') return `Folder ${value}`;
  if (kind === 'filename') return `File names with “${value}”`;
  if (columns === null) return 'Columns of an earlier list';
  const more = columns.length - columnsShown;
  const rest = more > 0 ? ` and ${formatCount(more)} more` : '';
  return `Columns of ${filename}: ${columns.slice(0, columnsShown).join(', ')}${rest}`;
}

/** Returns a sentence about the keys that both suppliers had before a merge. */
export function describeMerge(
  { name, twice, keys }: NonNullable<SupplierDetails['merged']>,
  into: string,
): string {
  const rest = twice > keys.length ? ` and ${formatCount(twice - keys.length)} more` : '';
  const named = `${keys.map(shownKey).join(', ')}${rest}`;
  const stays = 'the product listed last is kept, the other one stays in the store as it is';
  return `${name}, which was merged into ${into}, had ${countOf(twice, 'key')} of other products there: ${named}. For each key, ${stays}.`;
}

export const labelOwnValue = (field: string): string =>
  field === leaveOutField ? 'Left out' : fieldLabel(field.replace(/#.*/, ''));

/** Example: 'A-1 · Price: 14.40'. */
export function describeOwnValue({ key, field, kind, value }: OperatorValue): string {
  const of = key === null ? [] : [shownKey(key)];
  if (kind === 'left out') return [...of, 'left out of the push'].join(' · ');
  const said = kind === 'dismissed' ? `not “${value}”` : value === '' ? 'empty' : value;
  return [...of, `${labelOwnValue(field)}: ${said}`].join(' · ');
}
