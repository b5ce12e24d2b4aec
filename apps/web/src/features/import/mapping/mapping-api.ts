import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappingChanges, ReadingAnswers } from '@draftshelf/contract/reading/mapping';
import type { FileTable } from '@draftshelf/contract/reading/tables';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { showChange } from '../../../api/assume.ts';
import { call, freshMs, type Reply, readOf, toCacheKey } from '../../../api/call.ts';
import { useCall, useCalls } from '../../../ui/feedback/use-call.ts';

/** `fresh`: the server first reads the store's current metafields for the suggestions, which may take a second. */
export const useMapping = (importId: string, wanted: boolean, fresh?: 'fresh') =>
  useQuery({
    ...readOf('getMapping', { params: { id: importId }, ...(fresh && { query: { fresh: 'true' } }) }),
    enabled: wanted,
  });

/** Undefined until the metafields are loaded. */
export const useMetafields = () => useQuery(readOf('listMetafields')).data;

export const mappingsRead = () => ({ ...readOf('listMappings'), staleTime: 0 });

const recalledRead = (headers: readonly string[]) =>
  queryOptions({
    queryKey: toCacheKey('recallMapping', {}, { headers }),
    queryFn: ({ signal }) => call('recallMapping', { body: { headers: [...headers] }, signal }),
    gcTime: 0,
  });

/** `headers`: null while the file's headers are unknown. */
export const useRecalledMapping = (headers: readonly string[] | null) =>
  useQuery({ ...recalledRead(headers ?? []), enabled: headers !== null });

export function useRecallMapping() {
  const client = useQueryClient();
  return useCallback(
    async (headers: readonly string[]) =>
      (await client.fetchQuery({ ...recalledRead(headers), staleTime: freshMs })).mapping,
    [client],
  );
}

export const useForgetMapping = () =>
  useCall('forgetMapping', {
    failed: 'Couldn’t forget the mapping',
    assume: (client, { params }) =>
      showChange<Reply<'listMappings'>>(
        client,
        { queryKey: toCacheKey('listMappings'), exact: true },
        (mappings) => mappings.filter(({ fingerprint }) => fingerprint !== params?.fingerprint),
      ),
  });

/** A change of how the file is read, whose effect can be previewed. */
export type PreviewedChange = { dialect: DialectChoice } | { mapping: MappingChanges };

/** A change that re-reads the file. `readings`: the operator's choices of how to read the cells of a column. */
export type RereadChange = PreviewedChange | { readings: ReadingAnswers };

type FileContents = { tables: readonly FileTable[]; picturesNotice?: string | null };
const nothing: FileContents = { tables: [] };

export function useFileTables(importId: string, isWanted: boolean): FileContents {
  const { data } = useQuery({ ...readOf('listTables', { params: { id: importId } }), enabled: isWanted });
  return data ?? nothing;
}

/** Re-reads the file. Also updates the remembered mappings. */
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
