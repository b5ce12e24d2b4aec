import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappingChanges, ReadingAnswers } from '@draftshelf/contract/reading/mapping';
import type { FileTable } from '@draftshelf/contract/reading/tables';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { assume } from '../../../api/assume.ts';
import { call, type Reply } from '../../../api/call.ts';
import { freshMs, readKey, readOf } from '../../../api/read.ts';
import { useCall, useCalls } from '../../../ui/feedback/use-call.ts';

/** The columns of an import with samples and alternatives. */
export const readMapping = (importId: string) => readOf('getMapping', { params: { id: importId } });

/** The columns of an import with samples and alternatives. Read when `wanted`. */
export function useMapping(importId: string, wanted: boolean) {
  return useQuery({ ...readMapping(importId), enabled: wanted });
}

export const mappingsRead = () => ({ ...readOf('listMappings'), staleTime: 0 });

/** The remembered mappings, newest first. */
export function useMappings() {
  return useQuery(mappingsRead());
}

const recalledRead = (headers: readonly string[]) =>
  queryOptions({
    queryKey: readKey('recallMapping', {}, { headers }),
    queryFn: ({ signal }) => call('recallMapping', { body: { headers: [...headers] }, signal }),
    gcTime: 0,
  });

/** The mapping remembered for files with these headers; null headers: not known yet. */
export function useRecalledMapping(headers: readonly string[] | null) {
  return useQuery({ ...recalledRead(headers ?? []), enabled: headers !== null });
}

/** A function that reads the mapping remembered for files with some headers; null if there is none. */
export function useRecall() {
  const client = useQueryClient();
  return useCallback(
    async (headers: readonly string[]) =>
      (await client.fetchQuery({ ...recalledRead(headers), staleTime: freshMs })).mapping,
    [client],
  );
}

/** Forgets a remembered mapping. Imports keep theirs. */
export const useForgetMapping = () =>
  useCall('forgetMapping', {
    failed: 'Couldn’t forget the mapping',
    assume: (client, { params }) =>
      assume<Reply<'listMappings'>>(client, { queryKey: readKey('listMappings'), exact: true }, (mappings) =>
        mappings.filter(({ fingerprint }) => fingerprint !== params?.fingerprint),
      ),
  });

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
export function useReread(importId: string, failed?: string) {
  const params = { id: importId };
  return useCalls(
    (change: RereadChange) => {
      if ('dialect' in change) return call('changeDialect', { params, body: change.dialect });
      if ('readings' in change) return call('answerReadings', { params, body: change.readings });
      return call('changeMapping', { params, body: change.mapping });
    },
    () => [{ name: 'changeMapping', params }],
    { failed },
  );
}
