import { Text } from '@mantine/core';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { useTables } from './mapping-api.ts';
import { listsWords, noticeWords, tableLine, waitingWords } from './table-words.ts';

type FileTablesProps = {
  importId: string;
  table: NonNullable<NonNullable<ShownImport['dialect']>['table']>;
};

/** Which sheet of a workbook, or list of an archive, an import reads, and what to know of it. */
export function FileTables({ importId, table }: FileTablesProps) {
  const { tables, picturesNotice = null } = useTables(importId, true);
  const current = tables.find(({ name }) => name === table.name);
  if (current === undefined) return null;
  const line = tableLine(tables, table);
  const lists = listsWords(tables);
  return (
    <>
      {line !== null && (
        <Text size="sm" c="dimmed">
          {line}
        </Text>
      )}
      {lists !== null && <Notice>{lists}</Notice>}
      {waitingWords(tables, table.name).map((words) => (
        <Notice key={words}>{words}</Notice>
      ))}
      {picturesNotice !== null && <Notice>{picturesNotice}</Notice>}
      {current.notices !== null &&
        noticeWords(current.notices).map((words) => <Notice key={words}>{words}</Notice>)}
    </>
  );
}
