import type { FileTable } from '@draftshelf/contract/reading/tables';
import { listsIn, type TableNotices } from '@draftshelf/domain/reading/file-tables';
import { countOf, formatCount } from '../../../lib/intl.ts';

type Named = Pick<FileTable, 'name' | 'kind' | 'rows' | 'isList'>;

const nouns = { sheet: 'sheet', file: 'list' } as const;

/** Null for the file in a .gz, which has no name. */
export function tableLine(
  tables: readonly Named[],
  { name, kind }: Pick<FileTable, 'name' | 'kind'>,
): string | null {
  if (name === '') return null;
  const others = tables.length - 1;
  const shown = kind === 'sheet' ? `Sheet ‘${name}’` : `List ‘${name}’`;
  return others > 0 ? `${shown} · ${countOf(others, `other ${nouns[kind]}`)}` : shown;
}

/** '2 sheets look like product lists: Prices (812 rows), New (40). One import reads one sheet.'; null: at most one. */
export function listsWords(tables: readonly Named[]): string | null {
  const lists = listsIn(tables);
  const [first] = lists;
  if (first === undefined || lists.length < 2) return null;
  const noun = nouns[first.kind];
  const names = lists.map(({ name, rows }, at) => {
    if (rows === null) return name;
    return `${name} (${at === 0 ? countOf(rows, 'row') : formatCount(rows)})`;
  });
  const found = first.kind === 'file' ? 'file' : noun;
  return `${countOf(lists.length, found)} look like product lists: ${names.join(', ')}. One import reads one ${noun}.`;
}

/** '14 edits belong to the sheet ‘Prices’. They come back when it is read again.', per other table. */
export const waitingWords = (
  tables: readonly Pick<FileTable, 'name' | 'kind' | 'edits'>[],
  current: string,
): string[] =>
  tables.flatMap(({ name, kind, edits }) => {
    if (name === current || !edits) return [];
    const [belong, come] = edits === 1 ? ['belongs', 'It comes'] : ['belong', 'They come'];
    return [
      `${countOf(edits, 'edit')} ${belong} to the ${nouns[kind]} ‘${name}’. ${come} back when it is read again.`,
    ];
  });

export function noticeWords(notices: TableNotices): string[] {
  const { hiddenRows, hiddenColumns, errorCells, formulasWithoutValue, endedAtRepeats } = notices;
  const hidden = [
    ...(hiddenRows > 0 ? [countOf(hiddenRows, 'hidden row')] : []),
    ...(hiddenColumns > 0 ? [countOf(hiddenColumns, 'hidden column')] : []),
  ];
  const were = hiddenRows + hiddenColumns === 1 ? 'was' : 'were';
  return [
    ...(hidden.length > 0 ? [`${hidden.join(' and ')} ${were} read too.`] : []),
    ...(errorCells > 0
      ? [
          `${countOf(errorCells, 'cell')} ${errorCells === 1 ? 'has a formula error' : 'have formula errors'}.`,
        ]
      : []),
    ...(formulasWithoutValue > 0
      ? [
          `${countOf(formulasWithoutValue, 'formula')} ${formulasWithoutValue === 1 ? 'was' : 'were'} never calculated.`,
        ]
      : []),
    ...(endedAtRepeats
      ? ['The same row came more than 1,000 times, one after the other. Reading ended there.']
      : []),
  ];
}
