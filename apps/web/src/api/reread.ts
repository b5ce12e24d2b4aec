import { changeDialect, type DialectChoice } from '@draftshelf/contract/dialect';
import { changeMapping, listMappings, type MappingChanges } from '@draftshelf/contract/mapping';
import { previewReread } from '@draftshelf/contract/reread-preview';
import { route } from '@draftshelf/contract/route';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { call } from './call.ts';
import { refreshImport } from './imports.ts';
import { readKey } from './read.ts';

/** What an operator changes about how a file is read: its dialect or its mapping. */
export type RereadChange = { dialect: DialectChoice } | { mapping: MappingChanges };

/** The part of an action's reply that screens use. */
const Started = z.object({ success: z.literal(true), message: z.string() });
const startDialect = route({ ...changeDialect, reply: Started });
const startMapping = route({ ...changeMapping, reply: Started });

/** Re-reads the stored file of an import. What is remembered of mappings changes with it. */
export function useReread(importId: string) {
  const client = useQueryClient();
  const params = { id: importId };
  return useMutation({
    mutationFn: (change: RereadChange) =>
      'dialect' in change
        ? call(startDialect, { params, body: change.dialect })
        : call(startMapping, { params, body: change.mapping }),
    onSettled: () =>
      Promise.all([
        refreshImport(client, importId),
        client.invalidateQueries({ queryKey: readKey(listMappings.path) }),
      ]),
  });
}

/** What a re-read with a change would give; null: there is no change yet. Earlier answers stay while a new one loads. */
export function useRereadPreview(importId: string, change: RereadChange | null) {
  return useQuery({
    queryKey: readKey(previewReread.path, { id: importId }, change ?? {}),
    queryFn: ({ signal }) => call(previewReread, { params: { id: importId }, body: change ?? {}, signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
