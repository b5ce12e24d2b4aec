import { deleteImport, readAgain } from '@draftshelf/contract/imports/removal';
import { getRetention } from '@draftshelf/contract/operate/retention';
import { route } from '@draftshelf/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { call } from './call.ts';
import { refreshImport } from './imports.ts';
import { readOf } from './read.ts';

/** The part of a reply that screens use. */
const Begun = z.object({ success: z.literal(true) });

/** Begins to delete an import. */
export const useDeletion = (id: string) =>
  useBeginning(id, () => call(route({ ...deleteImport, reply: Begun }), { params: { id } }));

/** Reads the file of an import again, for rows that were removed. */
export const useReadAgain = (id: string) =>
  useBeginning(id, () => call(route({ ...readAgain, reply: Begun }), { params: { id } }));

function useBeginning(id: string, begin: () => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: begin, onSettled: () => refreshImport(client, id) });
}

export const retentionRead = () => readOf(getRetention);

/** For how many days search texts, rows and files are kept now. */
export const useRetention = () => useQuery(retentionRead());
