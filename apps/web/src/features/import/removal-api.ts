import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';
import { refreshImport } from './imports-api.ts';

/** Begins to delete an import. */
export const useDeletion = (id: string) => useBeginning(id, () => call('deleteImport', { params: { id } }));

/** Reads the file of an import again, for rows that were removed. */
export const useReadAgain = (id: string) => useBeginning(id, () => call('readAgain', { params: { id } }));

function useBeginning(id: string, begin: () => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: begin, onSettled: () => refreshImport(client, id) });
}

export const retentionRead = () => readOf('getRetention');

/** For how many days search texts, rows and files are kept now. */
export const useRetention = () => useQuery(retentionRead());
