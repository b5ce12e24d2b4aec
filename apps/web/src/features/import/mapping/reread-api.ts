import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappingChanges, ReadingAnswers } from '@draftshelf/contract/reading/mapping';
import type { FileTable } from '@draftshelf/contract/reading/tables';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { refreshImport } from '../imports-api.ts';

/** An operator's change to the reading of a file whose result is shown before: its dialect, or its mapping. */
export type PreviewedChange = { dialect: DialectChoice } | { mapping: MappingChanges };

/** A change to the reading of a file: also how the cells of columns are read. */
export type RereadChange = PreviewedChange | { readings: ReadingAnswers };

type FileContents = { tables: readonly FileTable[]; picturesNotice?: string | null };
const nothing: FileContents = { tables: [] };

/** The tables in the file of an import. Read when `isWanted`. */
export function useTables(importId: string, isWanted: boolean): FileContents {
  const { data } = useQuery({ ...readOf('listTables', { params: { id: importId } }), enabled: isWanted });
  return data ?? nothing;
}

/** Re-reads the stored file of an import. What is remembered of mappings changes with it. */
export function useReread(importId: string) {
  const client = useQueryClient();
  const params = { id: importId };
  return useMutation({
    mutationFn: (change: RereadChange) => {
      if ('dialect' in change) return call('changeDialect', { params, body: change.dialect });
      if ('readings' in change) return call('answerReadings', { params, body: change.readings });
      return call('changeMapping', { params, body: change.mapping });
    },
    onSettled: () =>
      Promise.all([
        refreshImport(client, importId),
        client.invalidateQueries({ queryKey: readKey('listMappings') }),
      ]),
  });
}
